"""Runs functions on abstract values."""
