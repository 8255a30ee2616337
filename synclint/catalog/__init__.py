"""What PyTorch and the libraries around it do, as data."""
