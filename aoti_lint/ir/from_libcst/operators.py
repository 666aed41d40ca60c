"""The spelling of libcst's operator classes."""

from __future__ import annotations

import libcst as cst

BINARY: dict[type, str] = {
    cst.Add: "+",
    cst.Subtract: "-",
    cst.Multiply: "*",
    cst.Divide: "/",
    cst.FloorDivide: "//",
    cst.Modulo: "%",
    cst.Power: "**",
    cst.LeftShift: "<<",
    cst.RightShift: ">>",
    cst.BitOr: "|",
    cst.BitAnd: "&",
    cst.BitXor: "^",
    cst.MatrixMultiply: "@",
}

AUGMENTED: dict[type, str] = {
    cst.AddAssign: "+",
    cst.SubtractAssign: "-",
    cst.MultiplyAssign: "*",
    cst.DivideAssign: "/",
    cst.FloorDivideAssign: "//",
    cst.ModuloAssign: "%",
    cst.PowerAssign: "**",
    cst.LeftShiftAssign: "<<",
    cst.RightShiftAssign: ">>",
    cst.BitOrAssign: "|",
    cst.BitAndAssign: "&",
    cst.BitXorAssign: "^",
    cst.MatrixMultiplyAssign: "@",
}

UNARY: dict[type, str] = {cst.Plus: "+", cst.Minus: "-", cst.BitInvert: "~", cst.Not: "not"}

BOOLEAN: dict[type, str] = {cst.And: "and", cst.Or: "or"}

COMPARE: dict[type, str] = {
    cst.LessThan: "<",
    cst.GreaterThan: ">",
    cst.Equal: "==",
    cst.LessThanEqual: "<=",
    cst.GreaterThanEqual: ">=",
    cst.NotEqual: "!=",
    cst.In: "in",
    cst.NotIn: "not in",
    cst.Is: "is",
    cst.IsNot: "is not",
}
