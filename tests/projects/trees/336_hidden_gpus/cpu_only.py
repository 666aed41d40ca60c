"""Keeps a process off the GPUs."""
import os

os.environ["CUDA_VISIBLE_DEVICES"] = ""
