# case: hooks-of-mmengine
import torch
from mmdet.models.detectors.single_stage import SingleStageDetector
from mmengine.hooks import Hook


class Watch(Hook):
    def before_run(self, runner):
        print(runner.model.head.weight.norm().item())  # once: SYN201

    def after_train_epoch(self, runner):
        print(runner.model.head.weight.norm().item())  # epoch: SYN201

    def after_train_iter(self, runner, batch_idx, data_batch=None, outputs=None):
        if self.every_n_train_iters(runner, 50):
            print(outputs["loss"].norm().item())  # interval: SYN201
        if self.is_last_train_iter(runner):
            print(outputs["loss"].norm().item())  # interval: SYN201
        runner.total += outputs["loss"].norm().item()  # sync: SYN201

    def after_val_iter(self, runner, batch_idx, data_batch=None, outputs=None):
        print(runner.model.head.weight.norm().item())  # eval: SYN201


class Detector(SingleStageDetector):
    def forward_train(self, img, boxes):
        return self.backbone(img), boxes.sum().item()  # sync: SYN201

    def simple_test(self, img, boxes):
        return self.backbone(img), boxes.sum().item()  # eval: SYN201


class Own:
    # Of a class that derives from none of the framework's, the name says nothing.
    def after_train_epoch(self, model: torch.nn.Module):
        print(model.head.weight.norm().item())  # sync: SYN201


# case: callbacks-of-stable-baselines
import torch
from stable_baselines3.common.callbacks import BaseCallback


class Base(BaseCallback):
    def weight(self) -> torch.Tensor:
        return self.model.policy.net.weight.norm()


class Watch(Base):
    def _on_training_start(self):
        print(self.weight().item())  # once: SYN201

    def _on_rollout_end(self):
        print(self.weight().item())  # epoch: SYN201

    def _on_step(self):
        if self.n_calls % 1000 == 0:
            print(self.weight().item())  # interval: SYN201
        self.logger.record("weight", self.weight().item())  # sync: SYN201
        return True


# case: stages-of-speechbrain
import speechbrain
import torch


class Recognizer(speechbrain.Brain):
    def compute_objectives(self, predictions, batch, stage):
        loss = torch.nn.functional.mse_loss(predictions, batch)
        if stage != speechbrain.Stage.TRAIN:
            self.errors.append(loss.item())  # eval: SYN201
        if stage == speechbrain.Stage.VALID:
            self.errors.append(loss.item())  # eval: SYN201
        if stage == speechbrain.Stage.TRAIN:
            self.errors.append(loss.item())  # sync: SYN201
        return loss

    def on_stage_end(self, stage, stage_loss, epoch):
        print(self.modules.encoder.weight.norm().item())  # epoch: SYN201


# case: models-of-servers
import torch


class TritonPythonModel:
    def initialize(self, args):
        self.model = torch.jit.load("model.pt").cuda()
        print(next(self.model.parameters()).norm().item())  # once: SYN201

    def execute(self, requests):
        return [self.model(request).norm().item() for request in requests]  # sync: SYN201


class Other:
    def initialize(self, model: torch.nn.Module):
        print(next(model.parameters()).norm().item())  # sync: SYN201


# case: a-class-with-a-forward-that-derives-from-one-of-a-library-is-a-module
from abc import ABC

import torch
from timm.models.vision_transformer import VisionTransformer


class Masked(VisionTransformer):
    def forward(self, x, lengths):
        if lengths.max() > 512:  # sync: SYN301
            x = x[:, :512]
        return super().forward(x)


class Unbatched(VisionTransformer):
    def longest(self, lengths):
        return lengths.max() > 512


class Policy(ABC):
    # Python's own classes make no modules.
    def forward(self, x, lengths):
        if lengths.max() > 512:
            x = x[:, :512]
        return x


class Doubled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, lengths):
        return x * 2


# case: engines-of-ignite
import torch
from ignite.engine import Engine, Events


def run(model: torch.nn.Module, optimizer: torch.optim.Optimizer, loader, held_out) -> None:
    def update(engine, batch):
        loss = model(batch).mean()
        loss.backward()
        optimizer.step()
        return loss.item()  # sync: SYN201

    @torch.no_grad()
    def evaluate(engine, batch):
        return model(batch).mean().item()  # eval: SYN201

    trainer = Engine(update)
    evaluator = Engine(process_function=evaluate)

    @trainer.on(Events.ITERATION_COMPLETED)
    def watch(engine):
        if next(model.parameters()).isnan().any():  # sync: SYN301
            engine.terminate()

    @trainer.on(Events.ITERATION_COMPLETED(every=100))
    def log(engine):
        print(next(model.parameters()).norm().item())  # interval: SYN201

    @trainer.on(Events.EPOCH_COMPLETED)
    def validate(engine):
        evaluator.run(held_out)
        print(next(model.parameters()).norm().item())  # epoch: SYN201

    @trainer.on(Events.STARTED | Events.COMPLETED)
    def begin(engine):
        print(next(model.parameters()).norm().item())  # once: SYN201

    def each_step(engine):
        print(next(model.parameters()).norm().item())  # sync: SYN201

    def each_epoch(engine):
        print(next(model.parameters()).norm().item())  # epoch: SYN201

    trainer.add_event_handler(Events.ITERATION_STARTED, each_step)
    trainer.add_event_handler(Events.EPOCH_STARTED, each_epoch)
    trainer.run(loader, max_epochs=3)


if __name__ == "__main__":
    net = torch.nn.Linear(3, 3).cuda()
    run(net, torch.optim.SGD(net.parameters()), [], [])


# case: steps-of-frameworks-that-an-evaluation-calls-as-well
import speechbrain
import torch
from transformers import Trainer


class Tuner(Trainer):
    def prediction_step(self, model, inputs, prediction_loss_only, ignore_keys=None):
        inputs = self._prepare_inputs(inputs)
        loss = self.compute_loss(model, inputs)
        print(loss.item())  # eval: SYN201
        return loss, None, None

    def _prepare_inputs(self, inputs):
        return self.shortened({key: value.cuda(non_blocking=True) for key, value in inputs.items()})

    def shortened(self, inputs):
        return {key: value[:, : int(inputs["mask"].sum(1).max())] for key, value in inputs.items()}  # sync: SYN203

    def compute_loss(self, model, inputs, return_outputs=False):
        loss = model(**inputs).logits.float().mean()
        self.losses.append(loss.item())  # sync: SYN201
        return loss

    def only_here(self, model: torch.nn.Module):
        return model.head.weight.norm().item()  # eval: SYN201

    def evaluate(self, dataset=None):
        return self.only_here(self.model)


class Recognizer(speechbrain.Brain):
    def compute_forward(self, batch, stage):
        return self.modules.encoder(batch.signal.data)

    def compute_objectives(self, predictions, batch, stage):
        loss = torch.nn.functional.mse_loss(predictions, batch.target.data)
        self.errors.append(loss.item())  # sync: SYN201
        return loss

    def evaluate_batch(self, batch, stage):
        loss = self.compute_objectives(self.compute_forward(batch, stage), batch, stage)
        return loss.detach().cpu()  # eval: SYN204


class Own:
    # Of a class that derives from none of the framework's, who calls it says how often.
    def compute_loss(self, model: torch.nn.Module, inputs: torch.Tensor):
        return torch.nn.functional.mse_loss(model(inputs), inputs).item()  # eval: SYN201

    def evaluate(self, model: torch.nn.Module, batches):
        return [self.compute_loss(model, batch) for batch in batches]


# case: models-of-nerfstudio
import torch
from nerfstudio.models.nerfacto import NerfactoModel


class Field(NerfactoModel):
    def get_outputs(self, ray_bundle: torch.Tensor):
        return {"rgb": self.field(ray_bundle[ray_bundle.norm(dim=-1) > 0])}  # sync: SYN103

    def get_metrics_dict(self, outputs, batch):
        return {"error": (outputs["rgb"] - batch["image"]).norm().item()}  # sync: SYN201

    def get_image_metrics_and_images(self, outputs, batch):
        return {"error": (outputs["rgb"] - batch["image"]).norm().item()}, {}  # eval: SYN201

    def get_outputs_for_camera(self, camera, obb_box=None):
        return self.get_outputs(camera.generate_rays())
