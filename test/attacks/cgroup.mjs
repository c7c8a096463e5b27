// Loaded into the program with --import: it then finds itself in a control group with these limits.
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'

const files = JSON.parse(process.env.CGROUP_FILES)
const { readFile } = promises
promises.readFile = async (path, ...rest) => files[path] ?? readFile(path, ...rest)
syncBuiltinESMExports()
