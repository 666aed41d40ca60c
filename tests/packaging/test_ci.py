"""What runs aoti-lint in CI: the action, GitLab's job and the image. Their shell is run, without a forge or Docker."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.packaging.environments import PROJECT, SCRIPTS, run
from tests.packaging.steps import Done, Runner, action
from tests.packaging.test_pre_commit import EXPORT, SERVE

pytestmark = pytest.mark.skipif(not (PROJECT / "action.yml").exists(), reason="only in a checkout")
needs_bash = pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
GITLAB = PROJECT / "ci" / "gitlab.yml"
TOOLS = os.pathsep.join((os.path.dirname(sys.executable), os.environ.get("PATH", "")))
WORKFLOWS = sorted((PROJECT / ".github" / "workflows").glob("*.yml"))


def tool(name: str) -> str:
    """The program of a package of the extra `dev`."""
    found = shutil.which(name, path=TOOLS)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


@pytest.mark.parametrize(
    ("schema", "paths"),
    [
        ("github-actions", [PROJECT / "action.yml"]),
        ("github-workflows", WORKFLOWS),
        ("gitlab-ci", [GITLAB]),
    ],
)
def test_the_forges_know_every_word(schema: str, paths: list[Path]) -> None:
    assert paths
    words = ("--data-transform", "gitlab-ci") if schema == "gitlab-ci" else ()
    run(tool("check-jsonschema"), "--builtin-schema", f"vendor.{schema}", *words, *paths, cwd=PROJECT)


def test_nothing_is_taken_from_strangers_into_a_shell() -> None:
    run(tool("zizmor"), "--offline", "--quiet", "action.yml", ".github", cwd=PROJECT)


def test_the_shell_is_sound(tmp_path: Path) -> None:
    checker = tool("shellcheck")
    for step in action()["runs"]["steps"]:
        if "run" in step:
            script = tmp_path / "step.sh"
            script.write_text("#!/bin/bash -e\n" + step["run"], encoding="utf-8")
            run(checker, script, cwd=tmp_path)


def test_the_image_is_sound() -> None:
    run(tool("hadolint"), "Dockerfile", cwd=PROJECT)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The temporary folder of a runner in which the action has installed aoti-lint from its own checkout."""
    temporary = tmp_path_factory.mktemp("runner")
    done = Runner(temporary, temporary).step("Install")
    assert done.code == 0, done.err
    return temporary


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A project with a finding that has two ends, and files whose names are odd."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "requirements.txt").write_text("torch==2.13.0\n", encoding="utf-8")
    files = {"export.py": EXPORT, "serve.py": SERVE, "--quiet": "", "a $(touch gone) b.py": "import torch\n"}
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    # What a checked tree holds is not imported.
    (tmp_path / "pydantic.py").write_text("raise SystemExit(9)\n", encoding="utf-8")
    return tmp_path


def rules(sarif: str) -> list[str]:
    """The rules of the findings in a file."""
    (one,) = json.loads(Path(sarif).read_text(encoding="utf-8"))["runs"]
    return [result["ruleId"] for result in one["results"]]


@needs_bash
def test_the_action(installed: Path, workspace: Path) -> None:
    def check(**inputs: str) -> Done:
        return Runner(installed, workspace).step("Check", **inputs)

    done = check(paths="serve.py")
    assert (done.code, done.err) == (1, "")
    assert done.outputs["exit-code"] == "1"
    assert rules(done.outputs["sarif"]) == ["AOTI102"]
    assert "error[AOTI102]" in done.out
    assert "\n::error title=aoti-lint AOTI102" in done.out
    assert (installed / "aoti-lint-cache").is_dir()
    again = check(paths="serve.py")
    assert again == done
    fine = check(paths="serve.py", args="--ignore\nAOTI102\n", annotations="false", cache="false")
    assert (fine.code, fine.outputs["exit-code"], rules(fine.outputs["sarif"])) == (0, "0", [])
    assert "::" not in fine.out
    zero = check(paths="serve.py\nexport.py", args="--exit-zero\n--no-ignores", torch_version="2.12")
    assert (zero.code, rules(zero.outputs["sarif"])) == (0, ["AOTI102"])
    assert "for torch 2.12" in zero.out
    wrong = check(paths="serve.py", torch_version="two")
    assert (wrong.code, wrong.outputs) == (2, {"exit-code": "2"})
    assert "--torch-version" in wrong.err


@needs_bash
def test_names_of_files_are_names_of_files(installed: Path, workspace: Path) -> None:
    done = Runner(installed, workspace).step("Check", paths="--quiet\na $(touch gone) b.py\n")
    assert done.code == 0
    assert "Skipped ./--quiet: not a Python file" in done.out
    assert not (workspace / "gone").exists()


def test_the_steps_of_others_are_given_what_there_is() -> None:
    """Inputs and outputs that are named are there, and each input is used."""
    text = (PROJECT / "action.yml").read_text(encoding="utf-8")
    assert {*re.findall(r"inputs\.([a-z-]+)", text)} == action()["inputs"].keys()
    steps = {step["id"] for step in action()["runs"]["steps"] if "id" in step}
    assert {*re.findall(r"steps\.([a-z-]+)\.outputs", text)} == steps


@needs_bash
def test_the_job_of_gitlab(installed: Path, workspace: Path) -> None:
    job = yaml.safe_load(GITLAB.read_text(encoding="utf-8"))["aoti-lint"]
    path = os.pathsep.join((str(installed / "aoti-lint" / SCRIPTS), os.environ["PATH"]))

    def script(**variables: str) -> subprocess.CompletedProcess[str]:
        kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "FORCE_COLOR")}
        return subprocess.run(
            ["bash", "-eo", "pipefail", "-c", "\n".join(job["script"])], cwd=workspace, capture_output=True, text=True,
            env={**kept, **job["variables"], "PATH": path, **variables},
        )  # fmt: skip

    unset = script()
    assert unset.returncode != 0
    assert "AOTI_LINT must say where your copy of aoti-lint is" in unset.stderr
    done = script(AOTI_LINT=str(PROJECT), AOTI_LINT_ARGS="--error-on certain", AOTI_LINT_PATHS="serve.py export.py")
    assert done.returncode == 1, done.stderr
    assert "error[AOTI102]" in done.stdout
    (report,) = job["artifacts"]["reports"].values()
    assert [one["check_name"] for one in json.loads((workspace / report).read_text(encoding="utf-8"))] == ["AOTI102"]
    (cache,) = job["cache"]["paths"]
    assert (workspace / cache).is_dir()


@pytest.mark.skipif(os.name == "nt", reason="the image is Linux's")
def test_the_commands_of_the_image(tmp_path: Path) -> None:
    """What is copied is enough to install, and what is started is there. The image is not built: that takes Docker."""
    text = (PROJECT / "Dockerfile").read_text(encoding="utf-8")
    first = text[: text.index("\nFROM", text.index("FROM") + 1)]
    kept = set(re.findall(r"^!(.+)$", (PROJECT / ".dockerignore").read_text(encoding="utf-8"), re.MULTILINE))
    copied = {name for line in re.findall(r"^COPY (.+) \S+$", first, re.MULTILINE) for name in line.split()}
    assert copied == kept
    build = tmp_path / "build"
    build.mkdir()
    for name in copied:
        source = PROJECT / name
        (shutil.copytree if source.is_dir() else shutil.copyfile)(source, build / name)
    for command in re.findall(r"^RUN (.+)$", first, re.MULTILINE):
        placed = command.replace("/opt/", f"{tmp_path}/").replace("python -m venv", f"'{sys.executable}' -m venv")
        run("sh", "-ec", placed, cwd=build)
    (started,) = re.findall(r"^ENTRYPOINT (.+)$", text, re.MULTILINE)
    words = [word.replace("/opt/", f"{tmp_path}/") for word in json.loads(started)]
    assert run(*words, "--version", cwd=tmp_path).startswith("aoti-lint ")
