extern "C"  void  cpp_fused_log_pad2_relu_sub_0(float* in_out_ptr0,
                       const int64_t ks0);
extern "C"  void  cpp_fused_1(float* out_ptr0);
extern "C"  void  cpp_fused__softmax_2(const float* in_ptr0,
                       float* out_ptr0,
                       float* out_ptr1,
                       const int64_t ks0);
void AOTInductorModel::run_impl(
    AtenTensorHandle*
        input_handles, // array of input AtenTensorHandle; handles
                        // are stolen; the array itself is borrowed
    AtenTensorHandle*
        output_handles, // array for writing output AtenTensorHandle; handles
                        // will be stolen by the caller; the array itself is
                        // borrowed
    DeviceStreamType stream,
    AOTIProxyExecutorHandle proxy_executor
) {
    __check_inputs_outputs(input_handles, output_handles);
    auto inputs = steal_from_raw_handles_to_raii_handles(input_handles, 1);
    auto arg4_1 = std::move(inputs[0]);
    aoti_torch_print_tensor_handle(arg4_1, "aoti_model_inputs - arg4_1");
    [[maybe_unused]] auto& a_weight = constants_->at(0);
    [[maybe_unused]] auto& a_bias = constants_->at(1);
    [[maybe_unused]] auto& b_weight = constants_->at(2);
    auto arg4_1_size = arg4_1.sizes();
    int64_t s77 = arg4_1_size[0];
    inputs.clear();
    [[maybe_unused]] auto& kernels = static_cast<AOTInductorModelKernels&>(*this->kernels_.get());
    if (_check_aoti_runtime_check_inputs_env()) { assert_size_stride(arg4_1, {s77, 10L}, {10L, 1L}, "input"); }
    const int64_t int_array_0[] = {s77, 16L};
    static constexpr int64_t int_array_1[] = {16L, 1L};
    AtenTensorHandle buf0_handle;
    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_empty_strided(2, int_array_0, int_array_1, cached_torch_dtype_float32, cached_torch_device_type_cpu, this->device_idx_, &buf0_handle));
    RAIIAtenTensorHandle buf0(buf0_handle);
    // Topologically Sorted Source Nodes: [linear], Original ATen: [aten.t, aten.addmm]
    // [Provenance debug handles] aoti_torch_cpu_addmm_out:1
    static constexpr int64_t int_array_2[] = {10L, 16L};
    static constexpr int64_t int_array_3[] = {1L, 10L};
    aoti_torch_print_tensor_handle(buf0, "before_launch - aoti_torch_cpu_addmm_out - buf0");
    aoti_torch_print_tensor_handle(arg4_1, "before_launch - aoti_torch_cpu_addmm_out - arg4_1");
    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_cpu_addmm_out(buf0, a_bias, arg4_1, wrap_with_raii_handle_if_needed(reinterpret_tensor_wrapper(a_weight, 2, int_array_2, int_array_3, 0L)), 1L, 1L));
    aoti_torch_print_tensor_handle(buf0, "after_launch - aoti_torch_cpu_addmm_out - buf0");
    aoti_torch_print_tensor_handle(arg4_1, "after_launch - aoti_torch_cpu_addmm_out - arg4_1");
    arg4_1.reset();
    auto buf1 = std::move(buf0);  // reuse
    // [Provenance debug handles] cpp_fused_log_pad2_relu_sub_0:2
    aoti_torch_print_tensor_handle(buf1, "before_launch - cpp_fused_log_pad2_relu_sub_0 - buf1");
    cpp_fused_log_pad2_relu_sub_0((float*)(buf1.data_ptr()), s77);
    aoti_torch_print_tensor_handle(buf1, "after_launch - cpp_fused_log_pad2_relu_sub_0 - buf1");
    // Topologically Sorted Source Nodes: [relu, sub, log, pad2], Original ATen: [aten.relu, aten.sub, aten.log, lab.pad2]
    // [Provenance debug handles] aoti_torch_cpu_pad2:3
    AtenTensorHandle buf3_handle;  // output buffer
    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_new_uninitialized_tensor(&buf3_handle));
    RAIIAtenTensorHandle buf3(buf3_handle);
    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_proxy_executor_call_function(proxy_executor, 0, 0, std::array<int64_t, 0>{}.data(), 2, std::array<AtenTensorHandle, 2>{buf1, buf3}.data()));
    buf1.reset();
    if (_check_aoti_runtime_check_inputs_env()) { assert_size_stride(buf3, {s77, 18L}, {18L, 1L}, "torch.ops.lab.pad2.default"); }

    static constexpr int64_t int_array_4[] = {4L, };
    static constexpr int64_t int_array_5[] = {1L, };
    AtenTensorHandle buf4_handle;
    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_empty_strided(1, int_array_4, int_array_5, cached_torch_dtype_float32, cached_torch_device_type_cpu, this->device_idx_, &buf4_handle));
    RAIIAtenTensorHandle buf4(buf4_handle);
    // [Provenance debug handles] cpp_fused_1:4
    aoti_torch_print_tensor_handle(buf4, "before_launch - cpp_fused_1 - buf4");
    cpp_fused_1((float*)(buf4.data_ptr()));
    aoti_torch_print_tensor_handle(buf4, "after_launch - cpp_fused_1 - buf4");
    const int64_t int_array_6[] = {s77, 4L};
    static constexpr int64_t int_array_7[] = {4L, 1L};
    AtenTensorHandle buf5_handle;
    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_empty_strided(2, int_array_6, int_array_7, cached_torch_dtype_float32, cached_torch_device_type_cpu, this->device_idx_, &buf5_handle));
    RAIIAtenTensorHandle buf5(buf5_handle);
    // Topologically Sorted Source Nodes: [linear_1], Original ATen: [aten.t, aten.addmm]
    // [Provenance debug handles] aoti_torch_cpu_addmm_out:5
    static constexpr int64_t int_array_8[] = {18L, 4L};
    static constexpr int64_t int_array_9[] = {1L, 18L};
    aoti_torch_print_tensor_handle(buf5, "before_launch - aoti_torch_cpu_addmm_out - buf5");
    aoti_torch_print_tensor_handle(buf4, "before_launch - aoti_torch_cpu_addmm_out - buf4");
    aoti_torch_print_tensor_handle(buf3, "before_launch - aoti_torch_cpu_addmm_out - buf3");
    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_cpu_addmm_out(buf5, buf4, buf3, wrap_with_raii_handle_if_needed(reinterpret_tensor_wrapper(b_weight, 2, int_array_8, int_array_9, 0L)), 1L, 1L));
    aoti_torch_print_tensor_handle(buf5, "after_launch - aoti_torch_cpu_addmm_out - buf5");
    aoti_torch_print_tensor_handle(buf4, "after_launch - aoti_torch_cpu_addmm_out - buf4");
    aoti_torch_print_tensor_handle(buf3, "after_launch - aoti_torch_cpu_addmm_out - buf3");
    buf3.reset();
    buf4.reset();
    AtenTensorHandle buf6_handle;
    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_empty_strided(2, int_array_6, int_array_7, cached_torch_dtype_float32, cached_torch_device_type_cpu, this->device_idx_, &buf6_handle));
    RAIIAtenTensorHandle buf6(buf6_handle);
    AtenTensorHandle buf7_handle;
    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_empty_strided(2, int_array_6, int_array_7, cached_torch_dtype_float32, cached_torch_device_type_cpu, this->device_idx_, &buf7_handle));
    RAIIAtenTensorHandle buf7(buf7_handle);
    // [Provenance debug handles] cpp_fused__softmax_2:6
    aoti_torch_print_tensor_handle(buf5, "before_launch - cpp_fused__softmax_2 - buf5");
    aoti_torch_print_tensor_handle(buf6, "before_launch - cpp_fused__softmax_2 - buf6");
    aoti_torch_print_tensor_handle(buf7, "before_launch - cpp_fused__softmax_2 - buf7");
    cpp_fused__softmax_2((const float*)(buf5.data_ptr()), (float*)(buf6.data_ptr()), (float*)(buf7.data_ptr()), s77);
    aoti_torch_print_tensor_handle(buf5, "after_launch - cpp_fused__softmax_2 - buf5");
    aoti_torch_print_tensor_handle(buf6, "after_launch - cpp_fused__softmax_2 - buf6");
    aoti_torch_print_tensor_handle(buf7, "after_launch - cpp_fused__softmax_2 - buf7");
    output_handles[0] = buf7.release();
} // AOTInductorModel::run_impl
