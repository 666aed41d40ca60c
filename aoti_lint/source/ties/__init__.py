"""What the files of a project have to do with each other, by what stands in their texts."""
