"""Operations on tensors: the shape, dtype and place of what each gives."""
