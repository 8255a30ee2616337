# case: audio-is-loaded-on-the-host
import torch
import torchaudio


def features(paths, model, device):
    for batch in paths:
        waveform, rate = torchaudio.load(batch)
        if rate != 16000:
            waveform = torchaudio.functional.resample(waveform, rate, 16000)
        model(waveform.to(device))  # sync: SYN402


# case: images-are-made-tensors-on-the-host
import torch
import torchvision.transforms.functional as TF
from torchvision import transforms


def predict(images, model, device):
    to_tensor = transforms.ToTensor()
    for step, image in enumerate(images):
        x = to_tensor(image).unsqueeze(0).to(device)  # sync: SYN402
        y = TF.to_tensor(image).to(device)  # sync: SYN402
        z = TF.pil_to_tensor(image).to(device)  # sync: SYN402
        model(x + y + z)


# case: transforms-one-after-the-other
import torch
from torchvision import transforms

prepare = transforms.Compose([transforms.Resize(224), transforms.ToTensor(), transforms.Normalize([0.5], [0.5])])


def predict(images, model, device):
    for step, image in enumerate(images):
        model(prepare(image).to(device))  # sync: SYN402


# case: images-read-by-torchvision
import torch
from torchvision.io import read_image


def predict(paths, model, device):
    for step, path in enumerate(paths):
        model(read_image(path).to(device))  # sync: SYN402


# case: augmented-images-are-on-the-host
import albumentations as A
import torch
from albumentations.pytorch import ToTensorV2

augment = A.Compose([A.HorizontalFlip(), ToTensorV2()])


def predict(images, model, device):
    for step, image in enumerate(images):
        x = augment(image=image)["image"]
        model(x.unsqueeze(0).to(device))  # sync: SYN402


# case: tokens-of-the-tokenizers-library-are-lists
import torch
from tokenizers import Tokenizer


def train(texts, model, device):
    tokenizer = Tokenizer.from_file("tokenizer.json")
    for step, text in enumerate(texts):
        ids = tokenizer.encode(text).ids
        model(torch.tensor(ids, device=device))  # sync: SYN401


# case: prepared-loaders-give-batches-on-the-device
import torch
from accelerate import Accelerator
from torch.utils.data import DataLoader


def train(model, data, optimizer):
    accelerator = Accelerator()
    loader = DataLoader(data, batch_size=8, num_workers=4)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for x, y in loader:  # sync: SYN402
        loss = model(x.to(accelerator.device), y).mean()
        accelerator.backward(loss)
        optimizer.step()
        total = accelerator.gather(loss).mean().item()  # sync: SYN201


# case: prepared-loaders-copy-while-they-are-enumerated
import torch
from accelerate import Accelerator
from torch.utils.data import DataLoader
from tqdm import tqdm


def train(model, data, optimizer):
    accelerator = Accelerator()
    loader = DataLoader(data, batch_size=8, num_workers=4, pin_memory=True)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for step, (x, y) in enumerate(tqdm(loader)):  # sync: SYN402
        accelerator.backward(model(x, y).mean())
        optimizer.step()


# case: prepared-loaders-that-an-attribute-keeps
from accelerate import Accelerator
from torch.utils.data import DataLoader


class Trainer:
    def __init__(self, data, model):
        self.accelerator = Accelerator()
        self.loader = DataLoader(data, batch_size=8, num_workers=4, pin_memory=True)
        self.loader = self.accelerator.prepare(self.loader)
        self.model = self.accelerator.prepare(model)

    def fit(self):
        for x, y in self.loader:  # sync: SYN402
            self.accelerator.backward(self.model(x, y).mean())


# case: prepared-loaders-that-do-not-wait-for-copies
import torch
from accelerate import Accelerator, DataLoaderConfiguration
from torch.utils.data import DataLoader


def train(model, data, optimizer):
    accelerator = Accelerator(dataloader_config=DataLoaderConfiguration(non_blocking=True))
    loader = DataLoader(data, batch_size=8, num_workers=4, pin_memory=True)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for x, y in loader:
        accelerator.backward(model(x, y).mean())
        optimizer.step()


# case: loaders-set-up-by-fabric-give-batches-on-the-device
import torch
from lightning.fabric import Fabric
from torch.utils.data import DataLoader


def train(model, data, optimizer):
    fabric = Fabric()
    loader = DataLoader(data, batch_size=8, num_workers=4)
    model, optimizer = fabric.setup(model, optimizer)
    loader = fabric.setup_dataloaders(loader)
    for x, y in loader:
        loss = model(x.to(fabric.device), y).mean()
        fabric.backward(loss)
        optimizer.step()


# case: loaders-with-a-prefetcher-give-batches-on-the-device
import torch
from timm.data import create_dataset, create_loader


def train(model, device):
    data = create_dataset("", root="data")
    loader = create_loader(data, input_size=224, batch_size=8, pin_memory=True)
    for x, y in loader:
        model(x.to(device), y)


# case: loader-with-a-prefetcher-that-does-not-pin
from timm.data import create_dataset, create_loader


def train(model, settings, pin: bool):
    data = create_dataset("", root="data")
    for x, y in create_loader(data, input_size=224, batch_size=8, pin_memory=pin):
        model(x, y)
    for x, y in create_loader(data, **settings):
        model(x, y)
    loader = create_loader(data, input_size=224, batch_size=8)
    for step, (x, y) in enumerate(loader):  # sync: SYN406
        model(x, y)


# case: prepared-loader-that-does-not-pin
from accelerate import Accelerator
from accelerate.utils import DataLoaderConfiguration
from torch.utils.data import DataLoader


def train(model, data):
    accelerator = Accelerator(dataloader_config=DataLoaderConfiguration(non_blocking=True))
    unpinned, pinned = accelerator.prepare(DataLoader(data, num_workers=4), DataLoader(data, num_workers=4, pin_memory=True))
    for x in unpinned:  # sync: SYN406
        model(x)
    for x in pinned:
        model(x)


def configured(model, data, config):
    loader = Accelerator(dataloader_config=config).prepare(DataLoader(data, num_workers=4))
    for x in loader:
        model(x)


# case: sound-stays-where-it-is
import torchaudio
from torch import Tensor


def spectrum(path: str, device, model, recorded: Tensor):
    wave, rate = torchaudio.load(path)
    mel = torchaudio.transforms.MelSpectrogram(rate)
    x = mel(wave).to(device)  # sync: SYN402
    y = mel(recorded).to(recorded.device)
    return model(x), model(torchaudio.functional.resample(wave, rate, 16000).to(device)), y  # sync: SYN402


# case: transforms-made-by-timm
import timm
import torch
from PIL import Image
from timm.data import create_transform, resolve_data_config


def classify(path: str, device: torch.device) -> float:
    model = timm.create_model("resnet50", pretrained=True).to(device)
    transform = create_transform(**resolve_data_config({}, model=model))
    x = transform(Image.open(path)).unsqueeze(0).to(device)  # sync: SYN402
    return model(x).softmax(-1).max().item()  # sync: SYN201


# case: datasets-told-to-give-tensors
from datasets import load_dataset


def train(model, tokenize, device):
    data = load_dataset("reviews").map(tokenize, batched=True)
    data.set_format(type="torch", columns=["image", "label"])
    for row in data["train"].shuffle(seed=1):
        model(row["image"].to(device))  # sync: SYN402
    labels = data["test"]["label"].to(device)  # sync: SYN402
    first = data["train"][:8]["image"].cuda()  # sync: SYN402
    there = data["train"].with_format("torch", device=device)
    return labels, first, there[0]["image"].to(device)


# case: datasets-that-give-lists
from datasets import load_dataset


def plain(device):
    rows = load_dataset("reviews")["train"].with_format("numpy")
    return rows[0]["image"].to(device)


# case: arrays-of-another-framework-and-a-log
import jax.numpy as jnp
from torch.utils.tensorboard import SummaryWriter


def log(writer: SummaryWriter, losses, step: int) -> None:
    for name in range(1000):
        writer.add_scalar("loss", losses[name].item(), step)


# case: arrays-of-another-framework-beside-tensors
import jax.numpy as jnp
import torch


def log(losses, scale: torch.Tensor) -> None:
    for name in range(1000):
        print(losses[name].item(), scale.item())  # sync: SYN201, SYN201


# case: longest-length-of-attention-is-a-number
from flash_attn import flash_attn_varlen_func, flash_attn_varlen_kvpacked_func, flash_attn_varlen_qkvpacked_func
from flash_attn.bert_padding import unpad_input
from torch import Tensor


def attend(q: Tensor, k: Tensor, v: Tensor, ends: Tensor, mask: Tensor, most: int):
    longest = ends.diff().max()
    x = flash_attn_varlen_func(q, k, v, ends, ends, longest, most)  # sync: SYN209
    x = x + flash_attn_varlen_func(q, k, v, ends, ends, max_seqlen_q=most, max_seqlen_k=longest)  # sync: SYN209
    x = x + flash_attn_varlen_kvpacked_func(q, k, ends, ends, longest, longest)  # sync: SYN209
    x = x + flash_attn_varlen_qkvpacked_func(q, ends, longest)  # sync: SYN209
    x, positions, ends, longest = unpad_input(x, mask)  # sync: SYN101
    return flash_attn_varlen_func(x, k, v, ends, ends, longest, most)


# case: attention-is-planned-on-the-host
from flashinfer import BatchPrefillWithRaggedKVCacheWrapper
from flashinfer.decode import BatchDecodeWithPagedKVCacheWrapper
from torch import Tensor


class Attention:
    def __init__(self, workspace: Tensor) -> None:
        self.whole: BatchPrefillWithRaggedKVCacheWrapper | None = None
        self.chunks: list[BatchPrefillWithRaggedKVCacheWrapper] = []
        self.decode = BatchDecodeWithPagedKVCacheWrapper(workspace)

    def prepare(self, starts: Tensor, chunks, workspace: Tensor) -> None:
        starts_on_host = starts.to("cpu")  # sync: SYN204
        if self.whole is None:
            self.whole = BatchPrefillWithRaggedKVCacheWrapper(workspace, "NHD")
            self.chunks.append(BatchPrefillWithRaggedKVCacheWrapper(workspace, "NHD"))
        self.whole.plan(qo_indptr=starts, kv_indptr=starts.clone(), num_qo_heads=8)  # sync: SYN204
        self.whole.plan(starts_on_host, starts_on_host, 8)
        for chunk in chunks:
            self.chunks[chunk.index].begin_forward(qo_indptr=starts, kv_indptr=chunk.starts)  # sync: SYN204
        self.decode.plan(starts, starts, starts)  # sync: SYN204
        self.decode.plan(starts_on_host, starts, starts_on_host)


# case: saved-tensors-are-read-into-pageable-memory
import safetensors.torch
from safetensors.torch import load_file


def restore(path: str, layers: list, device: str) -> list[float]:
    cache = safetensors.torch.load_file(path)["cache"]
    here = load_file(path, f"{device}:0")["cache"]  # sync: SYN402
    there = load_file(path, device="cpu")["cache"]
    for layer in layers:
        layer.cache = cache.to(layer.cache.device, non_blocking=True)  # sync: SYN406
    return [float(here.sum()), float(there.sum())]  # sync: SYN203


# case: graph-layers-that-take-out-self-loops-in-each-call
import torch
from torch_geometric.nn import GATConv, GCNConv, TopKPooling


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = GCNConv(8, 8)
        self.kept = GCNConv(8, 8, cached=True)
        self.plain = GCNConv(8, 8, normalize=False)
        self.attending = GATConv(8, 8)
        self.without = GATConv(8, 8, add_self_loops=False)
        self.pool = TopKPooling(8)

    def forward(self, x, edges, batch):
        x = self.first(x, edges)  # sync: SYN512
        x = self.kept(x, edges)
        x = self.plain(x, edges)
        x = self.attending(x, edges)  # sync: SYN512
        x = self.without(x, edges)
        return self.pool(x, edges, None, batch)  # sync: SYN512


def train(loader, optimizer):
    model = Model().cuda()
    for data in loader:
        x, edges, batch = data.x.cuda(non_blocking=True), data.edge_index.cuda(non_blocking=True), data.batch
        model(x, edges, batch.cuda(non_blocking=True))[0].sum().backward()
        optimizer.step()


# case: what-a-library-does-while-a-module-trains
import torch
from torch_geometric.utils import dropout_edge


class Dropping(torch.nn.Module):
    def forward(self, x: torch.Tensor, edges: torch.Tensor):
        edges, _ = dropout_edge(edges, p=0.2, training=self.training)  # sync: SYN512
        edges, _ = dropout_edge(edges, p=0.2, training=not self.training)
        return x, edges


# case: what-layers-of-libraries-return-is-a-tensor
import torch
from torch_geometric.nn import GATConv, GCNConv


def train(x: torch.Tensor, edges: torch.Tensor, steps: int):
    first, second = GCNConv(8, 8, normalize=False).cuda(), GATConv(8, 8, add_self_loops=False).cuda()
    for _ in range(steps):
        if first(x, edges).sum() > 0:  # sync: SYN301
            float(second(x, edges).mean())  # sync: SYN203


# case: detection-models-and-losses-of-boxes
import torch
from torchvision.models.detection import fasterrcnn_resnet50_fpn
from torchvision.ops import generalized_box_iou_loss
from torchvision.transforms.v2 import functional as F


def train(loader, optimizer, boxes: torch.Tensor, targets):
    model = fasterrcnn_resnet50_fpn(weights=None).to("cuda")
    for images in loader:
        images = [F.normalize(image.cuda(non_blocking=True), [0.5], [0.5]) for image in images]  # sync: SYN512
        sum(model(images, targets).values()).backward()  # sync: SYN512
        generalized_box_iou_loss(boxes, boxes)  # sync: SYN512
        optimizer.step()


# case: metrics-that-functions-count
import torch
from torchmetrics.functional.classification import multiclass_accuracy, multiclass_confusion_matrix


def train(model, optimizer, x: torch.Tensor, y: torch.Tensor, steps: int):
    for _ in range(steps):
        scores = model(x)
        torch.nn.functional.cross_entropy(scores, y).backward()
        optimizer.step()
        multiclass_accuracy(scores, y, num_classes=8)  # sync: SYN511
        multiclass_accuracy(scores, y, num_classes=8, average="micro")
        multiclass_confusion_matrix(scores, y, num_classes=8)  # sync: SYN511


# case: functions-of-metrics-that-are-told-their-task
import torch
import torchmetrics
import torchmetrics.functional as metrics
from torchmetrics.functional import accuracy
from torchmetrics.functional.classification import f1_score


def train(model, optimizer, x: torch.Tensor, y: torch.Tensor, task: str, steps: int):
    for _ in range(steps):
        scores = model(x)
        torch.nn.functional.cross_entropy(scores, y).backward()
        optimizer.step()
        accuracy(scores, y, task="binary")  # sync: SYN511
        accuracy(scores, y, "multilabel", num_labels=3)  # sync: SYN511
        accuracy(scores, y, task="binary", validate_args=False)
        accuracy(scores, y, task="multiclass", num_classes=3)
        accuracy(scores.argmax(-1), y, task="multiclass", num_classes=3)  # sync: SYN511
        accuracy(scores, y, task="multiclass", num_classes=3, ignore_index=0)  # sync: SYN511
        accuracy(scores, y, task=task, num_classes=3)
        torchmetrics.functional.f1_score(scores, y, task="multiclass", num_classes=3, average="macro")  # sync: SYN511
        f1_score(scores, y, task="multiclass", num_classes=3, average="macro")  # sync: SYN511
        f1_score(scores, y, task="multiclass", num_classes=3)
        metrics.confusion_matrix(scores, y, task=task, validate_args=False)  # sync: SYN511
        metrics.auroc(scores, y, task="binary")  # sync: SYN511
        metrics.auroc(scores, y, task="binary", thresholds=200, validate_args=False)  # sync: SYN511
        accuracy(scores.cpu(), y.cpu(), task="binary")  # sync: SYN204, SYN204


# case: extensions-that-read-how-many-there-are
import torch
import torch_scatter
from torch_cluster import knn_graph
from torch_geometric.nn import radius_graph
from torch_scatter import scatter_max, scatter_mean, scatter_softmax, segment_csr
from torch_scatter.scatter import scatter_sum


class Layer(torch.nn.Module):
    def forward(self, x: torch.Tensor, position: torch.Tensor, batch: torch.Tensor, starts: torch.Tensor, graphs: int):
        edges = radius_graph(position, r=1.0, batch=batch)  # sync: SYN512
        others = knn_graph(position, 8)  # sync: SYN512
        pooled = scatter_mean(x, batch, dim=0)  # sync: SYN512
        best, _ = scatter_max(x, batch, dim=0)  # sync: SYN512
        total = scatter_sum(x, batch, 0)  # sync: SYN512
        weights = scatter_softmax(x, batch, dim=0)  # sync: SYN512
        known = scatter_mean(x, batch, dim=0, dim_size=graphs)
        filled = torch_scatter.scatter(x, batch, 0, torch.zeros_like(pooled), reduce="sum")
        rows = segment_csr(x, starts, reduce="mean")
        return edges, others, best, total, weights, known, filled, rows


def on_the_host(x: torch.Tensor) -> torch.Tensor:
    return scatter_mean(x.cpu(), torch.zeros(8, dtype=torch.long), dim=0)  # sync: SYN204


# case: trainers-that-derive-from-that-of-transformers
from trl import DPOConfig, DPOTrainer, GRPOConfig, GRPOTrainer, SFTConfig, SFTTrainer


class Quiet(SFTTrainer):
    def compute_loss(self, model, inputs, return_outputs=False, num_items_in_batch=None):
        return model(**inputs).loss


def main(model, rows, reward) -> None:
    SFTTrainer(model, train_dataset=rows).train()  # sync: SYN402, SYN512
    settled = SFTConfig("out", accelerator_config={"non_blocking": True}, logging_nan_inf_filter=False)
    SFTTrainer(model, args=settled, train_dataset=rows).train()  # sync: SYN512
    Quiet(model, args=settled, train_dataset=rows).train()
    on_host = DPOConfig("out", use_cpu=True)
    DPOTrainer(model, args=on_host, train_dataset=rows).train()
    GRPOTrainer(model, reward, GRPOConfig("out", logging_nan_inf_filter=False), rows).train()  # sync: SYN402


# case: what-a-library-gives-back-for-nothing-is-no-way-out
import torch
from torch_geometric.nn import GAE, GCNConv
from torch_geometric.utils import negative_sampling


def train(encoder: GCNConv, x: torch.Tensor, edges: torch.Tensor, others: torch.Tensor, rounds: int) -> None:
    model = GAE(encoder).cuda()
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(rounds):
        z = model.encode(x, edges)
        loss = model.recon_loss(z, edges)  # sync: SYN512
        loss = loss + model.recon_loss(z, edges, others)
        pairs = negative_sampling(edges, num_nodes=8)  # sync: SYN512
        loss.backward()
        optimizer.step()


# case: what-a-progress-bar-shows-is-read-whatever-it-is
import lightning as L
from configured import built


class Model(L.LightningModule):
    def __init__(self, options):
        super().__init__()
        self.loss = built(options)

    def training_step(self, batch, batch_idx):
        loss, parts = self.loss(batch)
        self.log("loss", loss, prog_bar=True)  # sync: SYN205
        self.log("part", parts)
        return loss


# case: tokens-of-clip-are-made-on-the-cpu
import clip
import open_clip
import torch


def step(texts: list[str], device: torch.device) -> list[torch.Tensor]:
    tokenizer = open_clip.get_tokenizer("ViT-B-32")
    return [
        open_clip.tokenize(texts).to(device),  # sync: SYN402
        tokenizer(texts).to(device),  # sync: SYN402
        clip.tokenize(texts).cuda(),  # sync: SYN402
    ]


# case: models-of-transformers-read-their-masks
import torch
from transformers import AutoModelForCausalLM, BertModel


def main(loader, device: torch.device) -> None:
    model = AutoModelForCausalLM.from_pretrained("gpt2").to(device)
    eager = BertModel.from_pretrained("bert-base-uncased", attn_implementation="eager").to(device)
    for batch in loader:
        tokens = batch["input_ids"].to(device, non_blocking=True)
        mask = batch["attention_mask"].to(device, non_blocking=True)
        loss = model(input_ids=tokens, attention_mask=mask, labels=tokens).loss  # sync: SYN512
        some = mask if model.config.use_mask else None
        loss = loss + model(tokens, attention_mask=some).loss + model(tokens, labels=tokens).loss
        loss = loss + eager(tokens, attention_mask=mask).pooler_output.mean()
        loss.backward()


main([], torch.device("cuda"))


# case: collections-of-metrics-update-each-of-them
import torch
from torchmetrics import MeanMetric, MetricCollection
from torchmetrics.classification import BinaryAccuracy


def step(scores: torch.Tensor, labels: torch.Tensor) -> dict[str, torch.Tensor]:
    checked = MetricCollection({"accuracy": BinaryAccuracy()}).to(scores.device)
    checked.update(scores, labels)  # sync: SYN511
    listed = MetricCollection([BinaryAccuracy(validate_args=False), MeanMetric()]).cuda()
    listed(scores, labels)  # sync: SYN503
    free = MetricCollection([BinaryAccuracy(validate_args=False)]).cuda()
    free.update(scores, labels)
    on_host = MetricCollection([MeanMetric()])
    on_host.update(3.0)
    return free.compute()


# case: copies-of-collections-are-collections
import torch
from torchmetrics import MetricCollection
from torchmetrics.classification import BinaryAccuracy


def step(scores: torch.Tensor, labels: torch.Tensor, host: list[int]) -> None:
    metrics = MetricCollection([BinaryAccuracy()])
    kept = metrics.clone(prefix="train/").to(scores.device)
    kept.update(scores, labels)  # sync: SYN511
    alone = BinaryAccuracy().clone().cuda()
    alone.update(scores, labels)  # sync: SYN511
    free = MetricCollection([BinaryAccuracy(validate_args=False)]).clone(prefix="test/").cuda()
    free.update(scores, labels)
    on_host = metrics.clone(prefix="host/")
    on_host.update(torch.tensor(host), torch.tensor(host))


# case: models-of-transformers-by-what-its-source-says
import torch
import transformers
from transformers import AutoModelForSequenceClassification, AutoTokenizer, Gemma3ForCausalLM, ViTModel
from transformers.models.qwen2.modeling_qwen2 import Qwen2ForCausalLM


def main(texts, device: torch.device) -> None:
    tokenizer = AutoTokenizer.from_pretrained("gpt2")
    judge = AutoModelForSequenceClassification.from_pretrained("judge").to(device)
    gemma = Gemma3ForCausalLM.from_pretrained("gemma").to(device)
    qwen = Qwen2ForCausalLM(transformers.Qwen2Config()).to(device)
    eager = transformers.Qwen3ForCausalLM.from_pretrained("qwen", attn_implementation="eager").to(device)
    seeing = ViTModel.from_pretrained("vit").to(device)
    without_fused_attention = transformers.BloomForCausalLM.from_pretrained("bloom").to(device)
    for text in texts:
        on_host = tokenizer(text, return_tensors="pt")
        batch = on_host.to(device)  # sync: SYN402
        judge(**batch)  # sync: SYN512
        gemma(**batch, use_cache=True)  # sync: SYN512
        qwen(batch["input_ids"], attention_mask=batch["attention_mask"])  # sync: SYN512
        qwen(batch["input_ids"])
        eager(**batch)
        seeing(**batch)
        without_fused_attention(**batch)
        judge(input_ids=batch["input_ids"], attention_mask=None)


main([], torch.device("cuda"))


# case: a-model-of-transformers-under-a-class-of-its-own
import torch
from transformers import LlamaForCausalLM, PreTrainedModel


class Scored(PreTrainedModel):
    def __init__(self, config):
        super().__init__(config)
        self.inner = LlamaForCausalLM(config)

    def forward(self, input_ids, attention_mask=None, labels=None):
        out = self.inner(input_ids, attention_mask=attention_mask)  # sync: SYN512
        if labels is not None and labels.max() > 0:  # sync: SYN301
            return out
        return self.inner(input_ids)


class Tuned(LlamaForCausalLM):
    def answers(self, batch):
        return self.generate(**batch, max_new_tokens=8)  # sync: SYN512


def main(loader, optimizer, device: torch.device) -> None:
    scored = Scored.from_pretrained("scored").to(device)
    tuned = Tuned.from_pretrained("tuned").to(device)
    for batch in loader:
        batch = {key: value.to(device, non_blocking=True) for key, value in batch.items()}
        scored(**batch).loss.backward()
        scored(batch["input_ids"], batch["attention_mask"])
        optimizer.step()
        tuned.answers(batch)


main([], None, torch.device("cuda"))


# case: generation-asks-after-each-token
import torch
from transformers import AutoModelForCausalLM, AutoModelForSeq2SeqLM, GPT2Model


def main(loader, device: torch.device) -> list[torch.Tensor]:
    model = AutoModelForCausalLM.from_pretrained("gpt2").to(device)
    other = AutoModelForSeq2SeqLM.from_pretrained("t5").to(device)
    on_host = AutoModelForCausalLM.from_pretrained("gpt2")
    found = []
    for batch in loader:
        tokens = batch["input_ids"].to(device, non_blocking=True)
        found += [
            model.generate(tokens, max_new_tokens=8),  # sync: SYN512
            other.generate(input_ids=tokens),  # sync: SYN512
            on_host.generate(torch.ones(2, 4, dtype=torch.long)),
        ]
    return found


main([], torch.device("cuda"))


# case: prepared-optimizers-scale-if-a-setting-says-so
import torch
from accelerate import Accelerator


def train(model, loader, args, is_half: bool):
    certain = Accelerator(mixed_precision="fp16").prepare(torch.optim.AdamW(model.parameters()))
    accelerator = Accelerator(mixed_precision=args.mixed_precision)
    by_setting = accelerator.prepare(torch.optim.AdamW(model.parameters()))
    chosen = Accelerator(mixed_precision="fp16" if is_half else "no").prepare(torch.optim.AdamW(model.parameters()))
    fused = accelerator.prepare(torch.optim.AdamW(model.parameters(), fused=True))
    brain = Accelerator(mixed_precision="bf16").prepare(torch.optim.AdamW(model.parameters()))
    whole = Accelerator().prepare(torch.optim.AdamW(model.parameters()))
    for batch in loader:
        accelerator.backward(model(batch).mean())
        certain.step()  # sync: SYN510
        by_setting.step()  # sync: SYN510
        chosen.step()  # sync: SYN510
        fused.step()
        brain.step()
        whole.step()


# case: lightning-steps-by-way-of-a-scaler-in-half-precision
import lightning as L
import torch


class Model(L.LightningModule):
    def configure_optimizers(self):
        optimizer = torch.optim.AdamW(self.parameters())
        return {"optimizer": optimizer, "lr_scheduler": torch.optim.lr_scheduler.ConstantLR(optimizer)}


class Fused(Model):
    def configure_optimizers(self):
        return [torch.optim.AdamW(self.parameters(), fused=True)], []


class Untold(Model):
    def configure_optimizers(self):
        return self.made()


def main(rows, precision: str, other: str) -> None:
    trainer = L.Trainer(precision="16-mixed", accelerator="gpu")
    trainer.fit(Model(), rows)  # sync: SYN510
    trainer.fit(model=Model.load_from_checkpoint("last"), train_dataloaders=rows)  # sync: SYN510
    trainer.fit(Fused(), rows)
    trainer.fit(Untold(), rows)
    L.Trainer(precision="bf16-mixed").fit(Model(), rows)
    L.Trainer(precision=precision).fit(Model(), rows)  # sync: SYN510
    L.Trainer(precision=other).fit(Model(), rows)
    L.Trainer(precision="16-mixed", accelerator="cpu").fit(Model(), rows)
    L.Trainer(precision="16-mixed", strategy="deepspeed").fit(Model(), rows)
    L.Trainer(precision=16).fit(Model(), rows)  # sync: SYN510


main([], "16-mixed", input())


# case: metric-imported-from-the-module-that-defines-it
import torch
from torchmetrics.classification.accuracy import Accuracy, MulticlassAccuracy
from torchmetrics.elsewhere.deeply import Unheard


def train(model, loader, optimizer) -> None:
    counted = Accuracy(task="multiclass", num_classes=10).cuda()
    told = MulticlassAccuracy(num_classes=10, average="micro", validate_args=False).cuda()
    other = Unheard(num_classes=10).cuda()
    for x, y in loader:
        x, y = x.cuda(non_blocking=True), y.cuda(non_blocking=True)
        scores = model(x)
        torch.nn.functional.cross_entropy(scores, y).backward()
        optimizer.step()
        counted(scores.argmax(1), y)  # sync: SYN511
        told(scores.argmax(1), y)
        other(scores.argmax(1), y)


# case: pixels-are-no-tokens
import torch
from transformers import AutoImageProcessor, AutoModel, AutoTokenizer, BlipForConditionalGeneration


@torch.no_grad()
def look(images: list, texts: list) -> None:
    processor, tokenizer = AutoImageProcessor.from_pretrained("seen"), AutoTokenizer.from_pretrained("read")
    seeing, reading = AutoModel.from_pretrained("seen").cuda(), AutoModel.from_pretrained("read").cuda()
    writing = BlipForConditionalGeneration.from_pretrained("written").cuda()
    for image in images:
        pixels = processor(images=image, return_tensors="pt").to("cuda")  # sync: SYN402
        seeing(**pixels)
        writing.generate(**pixels)  # sync: SYN512
        tokens = tokenizer(texts, return_tensors="pt").to("cuda")  # sync: SYN402
        reading(**tokens)  # sync: SYN512


look([1], ["text"])


# case: parts-of-models-of-transformers-that-are-given-embeddings-and-a-mask
import torch
from torch import Tensor, nn
from transformers import AutoModel


class Tower(nn.Module):
    def __init__(self, config) -> None:
        super().__init__()
        self.inner = AutoModel.from_config(config)

    def forward(self, pixels: Tensor, positions: Tensor) -> Tensor:
        inner = self.inner
        padding = (positions == -1).all(dim=-1)
        embeds = inner.embedder(pixels, positions, padding)
        out = inner.encoder(inputs_embeds=embeds, attention_mask=~padding)  # sync: SYN512
        some = inner.first(hidden_states=out.last_hidden_state, attention_mask=~padding)
        return inner.encoder(inputs_embeds=some).last_hidden_state


# case: functions-of-accelerate-that-exchange-sizes
import torch
from accelerate.utils import pad_across_processes, reduce


def step(scores: torch.Tensor) -> torch.Tensor:
    pad_across_processes([1, 2])
    return reduce(pad_across_processes(scores, dim=1))  # sync: SYN604
