extern "C"  void  cpp_fused_add_index_select_slice_1(const int64_t* in_ptr0,
                       const float* in_ptr1,
                       float* out_ptr0,
                       float* out_ptr1)
{
    std::atomic<int> inductor_cpu_integer_div_error{0};
    inductor_cpu_integer_div_error_flag = &inductor_cpu_integer_div_error;
    {
        #pragma GCC ivdep
        for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(4L); x0+=static_cast<int64_t>(1L))
        {
            for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(16L); x1+=static_cast<int64_t>(16L))
            {
                {
                    if(C10_LIKELY(x1 >= static_cast<int64_t>(0) && x1 < static_cast<int64_t>(16L)))
                    {
                        auto tmp0 = in_ptr0[static_cast<int64_t>(x0)];
                        auto tmp1 = static_cast<int64_t>(1);
                        auto tmp2 = int64_t(tmp0 + tmp1);
                        auto tmp3 = 40L;
                        auto tmp4 = c10::convert<int64_t>(tmp3);
                        auto tmp5 = int64_t(tmp2 + tmp4);
                        auto tmp6 = tmp2 < 0;
                        auto tmp7 = tmp6 ? tmp5 : tmp2;
                        auto tmp8 = tmp7;
                        auto tmp9 = c10::convert<int64_t>(tmp8);
                        AOTI_TORCH_CHECK((0 <= tmp9) & (tmp9 < 40L), "index out of bounds: 0 <= tmp9 < 40L");
                        auto tmp11 = at::vec::Vectorized<float>::loadu(in_ptr1 + static_cast<int64_t>(x1 + 16L*tmp7), static_cast<int64_t>(16));
                        tmp11.store(out_ptr0 + static_cast<int64_t>(x1 + 16L*x0));
                    }
                }
            }
        }
    }
    {
        for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(4L); x0+=static_cast<int64_t>(16L))
        {
            {
                if(C10_LIKELY(x0 >= static_cast<int64_t>(0L) && x0 < static_cast<int64_t>(4L)))
                {
                    for (int64_t x0_tail = static_cast<int64_t>(0L);x0_tail < static_cast<int64_t>(4L); x0_tail++)
                    {
                        auto tmp0 = x0_tail;
                        auto tmp1 = c10::convert<int64_t>(tmp0);
                        auto tmp2 = static_cast<int64_t>(2);
                        auto tmp3 = tmp1 < tmp2;
                        auto tmp4 = static_cast<int64_t>(1);
                        auto tmp5 = tmp1 < tmp4;
                        auto tmp6 = static_cast<float>(0.22212311625480652);
                        auto tmp7 = static_cast<float>(0.19008994102478027);
                        auto tmp8 = tmp5 ? tmp6 : tmp7;
                        auto tmp9 = static_cast<int64_t>(3);
                        auto tmp10 = tmp1 < tmp9;
                        auto tmp11 = static_cast<float>(-0.24938198924064636);
                        auto tmp12 = static_cast<float>(0.04679301381111145);
                        auto tmp13 = tmp10 ? tmp11 : tmp12;
                        auto tmp14 = tmp3 ? tmp8 : tmp13;
                        out_ptr1[static_cast<int64_t>(x0_tail)] = tmp14;
                    }
                }
            }
        }
    }
    inductor_cpu_integer_div_error_flag = nullptr;
    inductor_cpu_throw_if_integer_div_error(inductor_cpu_integer_div_error);
}
