import { fileURLToPath } from 'node:url'
import { defineCommand } from './command.ts'
import { exitCode } from './exit-code.ts'

const details = `Keep it beside the config and name it there, and an editor completes and checks:

  continuation-point schema > config.schema.json
  { "$schema": "./config.schema.json", ... }`

/** Prints the schema as it is packaged: the same text as `config.schema.json` beside the program. */
export const command = defineCommand({
  name: 'schema',
  summary: 'print the JSON Schema of the config file',
  details,
  options: {},
  async run(_args, io) {
    io.stdout(await io.readFile(fileURLToPath(new URL('../../config.schema.json', import.meta.url))))
    return exitCode.done
  },
})
