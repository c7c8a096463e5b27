// Loaded into the program with --import: it then finds that it may have this much memory.
process.constrainedMemory = () => Number(process.env.CONSTRAINED_MEMORY)
