"""The parts of a generated C++ header that are the same in all."""

from __future__ import annotations

START = """\
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

// With torch's headers at hand, tensors are taken as they are; define this to do without.
#if !defined(AOTI_CONTRACT_WITHOUT_TORCH) && defined(__has_include)
#if __has_include(<ATen/core/Tensor.h>)
#define AOTI_CONTRACT_WITH_TORCH
#include <ATen/core/Tensor.h>
#endif
#endif
"""

INPUT = """\
// What is looked at of a tensor. The names are those of Python: "float32", "cpu".
struct Input {
  std::string dtype;
  std::string device;
  std::vector<int64_t> sizes;
  std::vector<int64_t> strides;
};
"""

DETAIL = {
    "text": """\
inline std::string text(const std::vector<int64_t>& numbers) {
  std::string result = "(";
  for (size_t i = 0; i < numbers.size(); ++i) {
    result += (i ? ", " : "") + std::to_string(numbers[i]);
  }
  return result + (numbers.size() == 1 ? ",)" : ")");
}
""",
    "floor_div": """\
// Rounds down, as Python does.
inline int64_t floor_div(int64_t a, int64_t b) {
  if (b == 0) {
    throw std::domain_error("division by a size of 0");
  }
  return a / b - ((a % b != 0 && (a % b < 0) != (b < 0)) ? 1 : 0);
}
""",
    "floor_mod": """\
inline int64_t floor_mod(int64_t a, int64_t b) {
  return a - floor_div(a, b) * b;
}
""",
    "divide": """\
inline double divide(double a, double b) {
  if (b == 0) {
    throw std::domain_error("division by a size of 0");
  }
  return a / b;
}
""",
    "power": """\
inline int64_t power(int64_t base, int64_t exponent) {
  int64_t result = 1;
  for (int64_t i = 0; i < exponent; ++i) {
    result *= base;
  }
  return result;
}
""",
    "holds": """\
// A condition does not hold where it divides by a size of 0.
template <typename Condition>
inline bool holds(const Condition& condition) {
  try {
    return static_cast<bool>(condition());
  } catch (const std::domain_error&) {
    return false;
  }
}
""",
    "check_tensor": """\
// Whether a tensor has its number of dims; tells of whatever else is wrong with it too. -1 is any size.
inline bool check_tensor(std::vector<std::string>& problems, const std::string& name, const Input& input,
                         const std::string& dtype, const std::string& device,
                         const std::vector<int64_t>& sizes) {
  if (!dtype.empty() && input.dtype != dtype) {
    problems.push_back(name + " is " + input.dtype + "; this model takes " + dtype);
  }
  if (!device.empty() && input.device != device) {
    problems.push_back(name + " is on " + input.device + "; this model takes it on " + device);
  }
  if (input.sizes.size() != sizes.size() || input.strides.size() != sizes.size()) {
    problems.push_back(name + " has " + std::to_string(input.sizes.size()) + " dims " + text(input.sizes) +
                       "; this model takes " + std::to_string(sizes.size()));
    return false;
  }
  for (size_t dim = 0; dim < sizes.size(); ++dim) {
    if (sizes[dim] >= 0 && input.sizes[dim] != sizes[dim]) {
      problems.push_back(name + ": dim " + std::to_string(dim) + " is " + std::to_string(input.sizes[dim]) +
                         "; it was fixed to " + std::to_string(sizes[dim]) + " when the model was exported");
    }
  }
  return true;
}
""",
    "check_strides": """\
// Where a dim has one element, its stride does not matter. ANY is a stride that nobody knows.
constexpr int64_t ANY = INT64_MIN;
inline void check_strides(std::vector<std::string>& problems, const std::string& name, const Input& input,
                          const std::vector<int64_t>& strides) {
  for (const std::string& problem : problems) {
    if (problem.rfind(name + ": dim ", 0) == 0) {
      return;  // strides follow from sizes
    }
  }
  bool same = true;
  for (size_t dim = 0; dim < strides.size(); ++dim) {
    if (input.sizes[dim] == 0) {
      return;
    }
    same = same && (input.sizes[dim] == 1 || strides[dim] == ANY || input.strides[dim] == strides[dim]);
  }
  if (!same) {
    problems.push_back(name + " has the strides " + text(input.strides) + "; the model was compiled for " +
                       text(strides) + " and reads them so: copy it into that layout, by .contiguous() if it "
                       "was compiled for a contiguous one");
  }
}
""",
}

END = """\
// Throws std::invalid_argument, which lists everything that is wrong with the inputs.
inline void check_inputs(const std::vector<Input>& inputs) {
  const std::vector<std::string> problems = violations(inputs);
  if (!problems.empty()) {
    std::string message = "not what this model was compiled for:";
    for (const std::string& problem : problems) {
      message += "\\n  " + problem;
    }
    throw std::invalid_argument(message);
  }
}

#ifdef AOTI_CONTRACT_WITH_TORCH
inline std::string dtype_name(at::ScalarType type) {
  switch (type) {
    case at::kFloat: return "float32";
    case at::kDouble: return "float64";
    case at::kHalf: return "float16";
    case at::kBFloat16: return "bfloat16";
    case at::kByte: return "uint8";
    case at::kChar: return "int8";
    case at::kShort: return "int16";
    case at::kInt: return "int32";
    case at::kLong: return "int64";
    case at::kBool: return "bool";
    case at::kComplexFloat: return "complex64";
    case at::kComplexDouble: return "complex128";
    default: {
      // Float8_e4m3fn, UInt16 and the like have the name of Python but for the case.
      std::string name = c10::toString(type);
      std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
      return name;
    }
  }
}

inline std::vector<Input> described(const std::vector<at::Tensor>& tensors) {
  std::vector<Input> inputs;
  for (const at::Tensor& tensor : tensors) {
    if (!tensor.defined()) {
      inputs.push_back({"undefined", "nowhere", {}, {}});
    } else if (tensor.layout() != at::kStrided) {
      inputs.push_back({"not dense", c10::DeviceTypeName(tensor.device().type(), true), tensor.sizes().vec(), {}});
    } else {
      inputs.push_back({dtype_name(tensor.scalar_type()), c10::DeviceTypeName(tensor.device().type(), true),
                        tensor.sizes().vec(), tensor.strides().vec()});
    }
  }
  return inputs;
}

inline std::vector<std::string> violations(const std::vector<at::Tensor>& tensors) {
  return violations(described(tensors));
}

inline void check_inputs(const std::vector<at::Tensor>& tensors) {
  check_inputs(described(tensors));
}
#endif
"""
