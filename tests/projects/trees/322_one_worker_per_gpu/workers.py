import torch
import torch.multiprocessing as mp


def worker(rank, queue, path):
    torch.cuda.set_device(rank)
    model = torch._inductor.aoti_load_package(path, device_index=rank)
    while (rows := queue.get()) is not None:
        print(rank, model(rows.to(f"cuda:{rank}")).shape)


def serve(path, count):
    context = mp.get_context("spawn")
    queue = context.Queue()
    workers = [context.Process(target=worker, args=(rank, queue, path)) for rank in range(count)]
    for process in workers:
        process.start()
    for _ in range(10):
        queue.put(torch.randn(32, 64))
    for _ in workers:
        queue.put(None)
    for process in workers:
        process.join()


if __name__ == "__main__":
    serve("shard.pt2", torch.cuda.device_count())
