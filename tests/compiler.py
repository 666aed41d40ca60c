"""A compiler that takes half as long for the packages that tests compile.

Half of what `g++` makes of a package's `wrapper.cpp` is `std::regex`, which torch uses to read the name of a device
(2.13, `aoti_runtime/model_base.h`, `parse_device_str`). It is the same in every package: the wrapper of the compiler
compiles it once, and links it. What is left of `wrapper.cpp` is not optimized, which torch has a setting for: it runs a
few times. What torch writes is compiled as it is, once for all tests that compile the same model.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

_REGEX = """\
#include <regex>
{extern} template class std::basic_regex<char>;
{extern} template class std::__detail::_Compiler<std::regex_traits<char>>;
{extern} template bool std::__detail::__regex_algo_impl<
    std::string::const_iterator, std::allocator<std::sub_match<std::string::const_iterator>>, char,
    std::regex_traits<char>>(
    std::string::const_iterator, std::string::const_iterator, std::match_results<std::string::const_iterator>&,
    const std::regex&, std::regex_constants::match_flag_type, std::__detail::_RegexExecutorPolicy, bool);
"""
"""What `std::regex` is instantiated as, in libstdc++ 12; others may have none of these names."""
_WRAPPER = """\
#!/bin/sh
compiles=no links=no wrapper=no packed=no alone=no source= output= before= flags=
for word in "$@"; do
  case "$word" in
    -c) compiles=yes ;;
    -E) exec {real} "$@" ;;
    -shared) links=yes ;;
    *.wrapper.cpp|*.kernel.cpp) packed=yes source=$word ;;
    *.cpp) alone=yes source=$word ;;
    *.o|*.a|*.so) [ "$before" = "-o" ] || alone=no ;;
  esac
  case "$word" in
    *.wrapper.cpp|*.wrapper.o|*.wrapper.cpp.o) wrapper=yes ;;
  esac
  case "$before $word" in
    "-o "*) output=$word ;;
    *" $source") ;;
    *) flags="$flags $word" ;;
  esac
  before=$word
done
more=
case "$wrapper $compiles $links" in
  "yes yes no") more="-include {folder}/regex.h" ;;
  "yes no yes") exec {real} "$@" {folder}/regex.o ;;
esac
case "$packed $compiles $alone $links" in
  "yes yes "*) kept=yes ;;
  "no no yes yes") kept=yes ;;  # what asks whether the processor has some instructions
  *) kept=no ;;
esac
if [ "$kept" = no ] || [ -z "$output" ] || [ ! -d "${objects}" ]; then
  exec {real} "$@" $more
fi
# Comments name the folder.
made=${objects}/$( (echo "$flags"; sed '/^ *\\/\\//d' "$source") | sha256sum | cut -d' ' -f1)
if [ ! -f "$made" ]; then
  {real} "$@" $more || exit $?
  cp "$output" "$made.$$" && mv "$made.$$" "$made"
else
  cp "$made" "$output"
fi
"""
OBJECTS = "AOTI_LINT_TESTS_OBJECTS"
"""Names the folder of what was compiled before, in this run of the tests; with none, everything is compiled."""


def environment(given: Mapping[str, str]) -> dict[str, str]:
    """Variables that make torch compile faster: `CXX`, if this is a `g++` for which it works and none was chosen.

    `TORCHINDUCTOR_VEC_ISA_OK` spares a compile for each new folder of caches, which asks whether the instructions
    that the processor has can be compiled.
    """
    chosen = {"TORCHINDUCTOR_VEC_ISA_OK": "1", "AOT_INDUCTOR_COMPILE_WRAPPER_OPT_LEVEL": "O0"}
    found = {name: value for name, value in chosen.items() if name not in given}
    real = shutil.which("g++")
    if real is None or "CXX" in given:
        return found
    version = subprocess.run([real, "--version"], capture_output=True, text=True, check=False).stdout
    key = hashlib.sha256("\n".join((real, version, _REGEX, _WRAPPER)).encode()).hexdigest()[:12]
    folder = Path(tempfile.gettempdir(), f"aoti-lint-tests-{key}")
    if not folder.is_dir():
        _make(real, folder)
    # torch knows the kind of a compiler by its name.
    return {**found, "CXX": str(folder / "g++")} if (folder / "g++").exists() else found


def _make(real: str, folder: Path) -> None:
    """Fill the folder, in one step as other processes see it; without a compiler in it if it cannot be made."""
    made = Path(tempfile.mkdtemp(prefix="aoti-lint-tests-"))
    (made / "regex.h").write_text(_REGEX.format(extern="extern"))
    (made / "regex.cpp").write_text(_REGEX.format(extern=""))
    command = [real, "-std=c++17", "-O1", "-fPIC", "-c", "regex.cpp", "-o", "regex.o"]
    if not subprocess.run(command, cwd=made, capture_output=True, check=False).returncode:
        wrapper = made / "g++"
        wrapper.write_text(_WRAPPER.format(real=real, folder=folder, objects=OBJECTS))
        wrapper.chmod(0o755)
    try:
        made.rename(folder)
    except OSError:
        # Another process was faster.
        shutil.rmtree(made)
