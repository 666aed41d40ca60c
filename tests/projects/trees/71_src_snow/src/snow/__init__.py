from .models import *  # noqa: F403
