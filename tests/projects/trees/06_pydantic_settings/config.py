from functools import lru_cache

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_prefix="GESTURE_", protected_namespaces=())

    device: str = "cpu"
    package_path: str = "gesture.pt2"
    frames: int = 30
    joints: int = Field(21, ge=1)
    export_batch: int = 8
    serve_batch: int = 32


@lru_cache
def get_settings() -> Settings:
    return Settings()
