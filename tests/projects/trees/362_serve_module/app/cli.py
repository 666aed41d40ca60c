import argparse

from . import runtime


def main(argv=None):
    parser = argparse.ArgumentParser(prog="app")
    parser.add_argument("--rows", type=int, default=6)
    parser.add_argument("--seq", type=int, default=12)
    args = parser.parse_args(argv)
    session = runtime.Session.open(rows=args.rows)
    print(session.run(args.rows, args.seq))
    print(session.run(args.rows, 2 * args.seq))
    print(session.run(2 * args.rows, args.seq))


if __name__ == "__main__":
    main()
