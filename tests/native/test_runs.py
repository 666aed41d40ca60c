"""What C++ programs give to the models that they load."""

from __future__ import annotations

import pytest

from aoti_lint.native.hosts import loads, members
from aoti_lint.native.runs import Given, Run, Taken, runs

HEAD = 'AOTIModelPackageLoader loader("net.pt2");\n'
FLOAT = Given("float32", "cpu")


def given(code: str) -> list[list[Given]]:
    return [[Given(one.dtype, one.device) for one in each] for each in _given(code)]


def _given(code: str) -> list[tuple[Given, ...]]:
    data = code.encode()
    told = runs(data, "a.cpp", loads(data, "a.cpp", members(data)))
    return [one.given for one in told if isinstance(one, Run)]


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        ("loader.run({torch::randn({2, 3})});", [FLOAT]),
        ("loader.run({at::ones({2}, at::kHalf), torch::zeros({2}, torch::kInt64)});",
         [Given("float16", "cpu"), Given("int64", "cpu")]),
        ("loader.run({torch::randint(0, 10, {2, 3})});", [Given("int64", "cpu")]),
        ("loader.run({torch::randint(10, {2, 3}, torch::kInt)});", [Given("int32", "cpu")]),
        ("loader.run({torch::full({2}, 1.0, torch::kFloat64)});", [Given("float64", "cpu")]),
        ("loader.run({torch::full({2}, 1)});", [Given(None, "cpu")]),
        ("loader.run({torch::randn({2}, torch::dtype(torch::kBFloat16).device(torch::kCUDA, 0))});",
         [Given("bfloat16", "cuda")]),
        ("auto o = torch::TensorOptions().dtype(torch::kInt64).device(torch::kCUDA);\n"
         "loader.run({torch::ones({2}, o)});",
         [Given("int64", "cuda")]),
        ('loader.run({torch::randn({2}).to("cuda:1")});', [Given("float32", "cuda")]),
        ("loader.run({torch::randn({2}).to(at::kHalf).unsqueeze(0).contiguous()});", [Given("float16", "cpu")]),
        ("loader.run({torch::randn({2}).cuda().half()});", [Given("float16", "cuda")]),
        ("auto x = torch::ones({2});\nat::Tensor y = x.to(torch::kDouble);\nauto out = loader.run({x, y});",
         [FLOAT, Given("float64", "cpu")]),
        ("std::vector<torch::Tensor> inputs = {torch::ones({2})};\nloader.run(inputs);", [FLOAT]),
        ("std::vector<at::Tensor> inputs;\ninputs.push_back(torch::ones({2}));\nloader.run(std::move(inputs));",
         [FLOAT]),
        ("std::vector<at::Tensor> in{torch::ones({2})};\nin.emplace_back(f());\nloader.boxed_run(std::move(in));",
         [FLOAT, Given()]),
        ("float d[6];\nloader.run({torch::from_blob(d, {2, 3})});", [FLOAT]),
        # What is not known.
        ("loader.run({x});", [Given()]),
        ("loader.run({torch::randn({2}, options)});", [Given()]),
        ("loader.run({torch::randn({2}).to(device)});", [Given()]),
        ("loader.run({torch::ones({2}).sum()});", [Given()]),
        ("auto x = torch::ones({2});\nx = x.to(torch::kHalf);\nloader.run({x});", [Given()]),
        ("auto x = torch::ones({2});\nvoid f(at::Tensor x) { loader.run({x}); }", [Given()]),
        ("auto x = y; auto y = x; loader.run({x});", [Given()]),
    ],
)  # fmt: skip
def test_given(code: str, wanted: list[Given]) -> None:
    assert given(HEAD + code) == [wanted]


@pytest.mark.parametrize(
    "code",
    [
        "loader.run(inputs);",
        "std::vector<at::Tensor> inputs = {torch::ones({2})};\nfill(inputs);\nloader.run(inputs);",
        "std::vector<at::Tensor> inputs = {torch::ones({2})};\ninputs[0] = torch::ones({2});\nloader.run(inputs);",
        'AOTIModelPackageLoader loader("other.pt2");\nloader.run({torch::ones({2})});',
        "auto loader = std::make_unique<AOTIModelPackageLoader>(path);\nloader->run({torch::ones({2})});",
        "other.run({torch::ones({2})});",
        "this.loader.run({torch::ones({2})});",
    ],
)
def test_not_known(code: str) -> None:
    assert given(HEAD + code) == []


@pytest.mark.parametrize(
    "code",
    [
        'auto p = std::make_unique<torch::inductor::AOTIModelPackageLoader>("net.pt2");',
        'p = std::make_unique<AOTIModelPackageLoader>("net.pt2");',
        'p.reset(new torch::inductor::AOTIModelPackageLoader("net.pt2"));',
        'Host::Host() : p(std::make_unique<AOTIModelPackageLoader>("net.pt2")) {}',
        "AOTIModelPackageLoader p;\nHost::Host(fs::path d) : p((d / \"net.pt2\").string()) {}",
        "std::optional<AOTIModelPackageLoader> p;\np.emplace(\"net.pt2\");",
    ],
)  # fmt: skip
def test_what_holds_it(code: str) -> None:
    assert given(f"{code}\np->run({{torch::ones({{2}})}});") == [[FLOAT]]


@pytest.mark.parametrize(
    ("tensor", "sizes"),
    [
        ("torch::randn({2, 3})", (2, 3)),
        ("torch::randint(0, 10, {2, 3}, torch::kLong)", (2, 3)),
        ("torch::full({2, kRows}, 1.0)", (2, 5)),
        ("torch::zeros({rows, 3}).to(torch::kHalf).contiguous()", (None, 3)),
        ("torch::from_blob(data, {4})", (4,)),
        ("torch::ones({2, 3}).view({3, 2})", None),
        ("torch::ones(sizes)", None),
        ("torch::ones({})", ()),
    ],
)
def test_sizes(tensor: str, sizes: tuple[int | None, ...] | None) -> None:
    ((found,),) = _given(f"{HEAD}constexpr int64_t kRows = 5;\nloader.run({{{tensor}}});")
    assert found.sizes == sizes


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        ("auto out = loader.run(x);\nuse(out[0], out.at(2));", [0, 2]),
        ("std::vector<at::Tensor> out = loader.run(x);\nat::Tensor y = out[1].squeeze();", [1]),
        ("const auto& out = loader.run(x);\nuse(out[1]);", [1]),
        ("at::Tensor y = loader.run(x)[3];", [3]),
        ("use(loader.run(x).at(1).item<float>());", [1]),
        # What is not known, or something else.
        ("auto out = loader.run(x);\nuse(out[i], other[2], out.size());", []),
        ("auto out = loader.run(x);\nuse(a.out[2]);", []),
        ("auto out = loader.run(x);\nout = more(out);\nuse(out[2]);", []),
        ("auto out = loader.run(x);\nvoid f(Tensors& out) { use(out[2]); }", []),
        ("auto out = loader.run(x);\n{ auto out = other(x); use(out[2]); }", []),
        ("auto out = loader.run(x);\nout.push_back(y);\nuse(out[2]);", []),
        ("out_ = loader.run(x);\nuse(out_[2]);", []),
    ],
)
def test_taken(code: str, wanted: list[int]) -> None:
    data = (HEAD + code).encode()
    told = runs(data, "a.cpp", loads(data, "a.cpp", members(data)))
    assert [one.index for one in told if isinstance(one, Taken)] == wanted
