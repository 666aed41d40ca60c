extern "C"  void  cpp_fused_index_index_put_tanh_zeros_0(const int64_t* in_ptr0,
                       const int64_t* in_ptr1,
                       const float* in_ptr2,
                       float* out_ptr0,
                       float* out_ptr1)
{
    std::atomic<int> inductor_cpu_integer_div_error{0};
    inductor_cpu_integer_div_error_flag = &inductor_cpu_integer_div_error;
    #pragma omp parallel
    {
        int tid = omp_get_thread_num();
        {
            #pragma omp for
            for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(1200L); x0+=static_cast<int64_t>(16L))
            {
                {
                    if(C10_LIKELY(x0 >= static_cast<int64_t>(0) && x0 < static_cast<int64_t>(1200L)))
                    {
                        auto tmp0 = static_cast<float>(0.0);
                        auto tmp1 = at::vec::Vectorized<float>(tmp0);
                        tmp1.store(out_ptr0 + static_cast<int64_t>(x0));
                    }
                }
            }
        }
        {
            #pragma omp for
            for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(200L); x0+=static_cast<int64_t>(1L))
            {
                for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(24L); x1+=static_cast<int64_t>(16L))
                {
                    {
                        if(C10_LIKELY(x1 >= static_cast<int64_t>(0) && x1 < static_cast<int64_t>(16L)))
                        {
                            auto tmp0 = in_ptr0[static_cast<int64_t>(x0)];
                            auto tmp9 = in_ptr1[static_cast<int64_t>(x0)];
                            auto tmp1 = 50L;
                            auto tmp2 = c10::convert<int64_t>(tmp1);
                            auto tmp3 = int64_t(tmp0 + tmp2);
                            auto tmp4 = tmp0 < 0;
                            auto tmp5 = tmp4 ? tmp3 : tmp0;
                            auto tmp6 = tmp5;
                            auto tmp7 = c10::convert<int64_t>(tmp6);
                            AOTI_TORCH_CHECK((0 <= tmp7) & (tmp7 < 50L), "index out of bounds: 0 <= tmp7 < 50L");
                            auto tmp10 = int64_t(tmp9 + tmp2);
                            auto tmp11 = tmp9 < 0;
                            auto tmp12 = tmp11 ? tmp10 : tmp9;
                            auto tmp13 = tmp12;
                            auto tmp14 = c10::convert<int64_t>(tmp13);
                            AOTI_TORCH_CHECK((0 <= tmp14) & (tmp14 < 50L), "index out of bounds: 0 <= tmp14 < 50L");
                            auto tmp16 = at::vec::Vectorized<float>::loadu(in_ptr2 + static_cast<int64_t>(x1 + 24L*tmp12), static_cast<int64_t>(16));
                            auto tmp17 = tmp16.tanh();
                            auto tmp18 = x1 + 24L*tmp5;
                            auto tmp19 = c10::convert<int64_t>(tmp18);
                            auto tmp20 = at::vec::VectorizedN<int64_t,2>::arange(tmp19, 1);
                            atomic_add_vec<float, 2, 1>(out_ptr0, tmp20, tmp17);
                        }
                        if(C10_UNLIKELY(x1 >= static_cast<int64_t>(16L) && x1 < static_cast<int64_t>(24L)))
                        {
                            auto tmp0 = in_ptr0[static_cast<int64_t>(x0)];
                            auto tmp9 = in_ptr1[static_cast<int64_t>(x0)];
                            auto tmp1 = 50L;
                            auto tmp2 = c10::convert<int64_t>(tmp1);
                            auto tmp3 = int64_t(tmp0 + tmp2);
                            auto tmp4 = tmp0 < 0;
                            auto tmp5 = tmp4 ? tmp3 : tmp0;
                            auto tmp6 = tmp5;
                            auto tmp7 = c10::convert<int64_t>(tmp6);
                            AOTI_TORCH_CHECK((0 <= tmp7) & (tmp7 < 50L), "index out of bounds: 0 <= tmp7 < 50L");
                            auto tmp10 = int64_t(tmp9 + tmp2);
                            auto tmp11 = tmp9 < 0;
                            auto tmp12 = tmp11 ? tmp10 : tmp9;
                            auto tmp13 = tmp12;
                            auto tmp14 = c10::convert<int64_t>(tmp13);
                            AOTI_TORCH_CHECK((0 <= tmp14) & (tmp14 < 50L), "index out of bounds: 0 <= tmp14 < 50L");
                            auto tmp16 = at::vec::Vectorized<float>::loadu(in_ptr2 + static_cast<int64_t>(x1 + 24L*tmp12), static_cast<int64_t>(8L));
                            auto tmp17 = tmp16.tanh();
                            auto tmp18 = x1 + 24L*tmp5;
                            auto tmp19 = c10::convert<int64_t>(tmp18);
                            auto tmp20 = at::vec::VectorizedN<int64_t,2>::arange(tmp19, 1);
                            atomic_add_vec<float, 2, 1>(out_ptr0, tmp20, tmp17, static_cast<int64_t>(8L));
                        }
                    }
                }
            }
        }
        #pragma omp single
        {
            {
                for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(8L); x0+=static_cast<int64_t>(16L))
                {
                    {
                        if(C10_LIKELY(x0 >= static_cast<int64_t>(0L) && x0 < static_cast<int64_t>(8L)))
                        {
                            for (int64_t x0_tail = static_cast<int64_t>(0L);x0_tail < static_cast<int64_t>(8L); x0_tail++)
                            {
                                auto tmp0 = x0_tail;
                                auto tmp1 = c10::convert<int64_t>(tmp0);
                                auto tmp2 = static_cast<int64_t>(4);
                                auto tmp3 = tmp1 < tmp2;
                                auto tmp4 = static_cast<int64_t>(2);
                                auto tmp5 = tmp1 < tmp4;
                                auto tmp6 = static_cast<int64_t>(1);
                                auto tmp7 = tmp1 < tmp6;
                                auto tmp8 = static_cast<float>(0.19368340075016022);
                                auto tmp9 = static_cast<float>(0.05427335575222969);
                                auto tmp10 = tmp7 ? tmp8 : tmp9;
                                auto tmp11 = static_cast<int64_t>(3);
                                auto tmp12 = tmp1 < tmp11;
                                auto tmp13 = static_cast<float>(-0.0747242197394371);
                                auto tmp14 = static_cast<float>(-0.08400662243366241);
                                auto tmp15 = tmp12 ? tmp13 : tmp14;
                                auto tmp16 = tmp5 ? tmp10 : tmp15;
                                auto tmp17 = static_cast<int64_t>(6);
                                auto tmp18 = tmp1 < tmp17;
                                auto tmp19 = static_cast<int64_t>(5);
                                auto tmp20 = tmp1 < tmp19;
                                auto tmp21 = static_cast<float>(-0.1305997669696808);
                                auto tmp22 = static_cast<float>(-0.14150270819664001);
                                auto tmp23 = tmp20 ? tmp21 : tmp22;
                                auto tmp24 = static_cast<int64_t>(7);
                                auto tmp25 = tmp1 < tmp24;
                                auto tmp26 = static_cast<float>(-0.03287416324019432);
                                auto tmp27 = static_cast<float>(-0.0361025370657444);
                                auto tmp28 = tmp25 ? tmp26 : tmp27;
                                auto tmp29 = tmp18 ? tmp23 : tmp28;
                                auto tmp30 = tmp3 ? tmp16 : tmp29;
                                out_ptr1[static_cast<int64_t>(x0_tail)] = tmp30;
                            }
                        }
                    }
                }
            }
        }
    }
    inductor_cpu_integer_div_error_flag = nullptr;
    inductor_cpu_throw_if_integer_div_error(inductor_cpu_integer_div_error);
}
