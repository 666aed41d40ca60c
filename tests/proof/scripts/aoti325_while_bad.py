import torch


class Keep(torch.nn.Module):
    def forward(self, scores):
        total = scores.sum()
        while scores.numel() > 0:  # <- AOTI325
            total = total + scores[0]
            scores = scores[scores > 0.5]
        return total


program = torch.export.export(Keep(), (torch.ones(3),))
print(len(program.graph.nodes) > 1, "exported")
