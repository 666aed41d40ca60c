#include <ATen/ATen.h>
#include <torch/csrc/inductor/aoti_package/model_package_loader.h>

#include <iostream>

int main() {
  torch::inductor::AOTIModelPackageLoader loader("net.pt2");
  std::cout << "sum " << loader.run({at::ones({4})})[0].sum().item<float>() << std::endl;
}
