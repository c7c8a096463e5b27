// `npm run conformance -- --point URL`: tests a continuation point. Node 20 can't read TypeScript, so it is bundled first.
import { build } from 'rolldown'

const { output } = await build({
  input: 'test/conformance/command.ts',
  platform: 'node',
  external: /^node:/,
  write: false,
})
const { judge } = await import(`data:text/javascript,${encodeURIComponent(output[0].code)}`)
process.exitCode = await judge(process.argv.slice(2), {
  env: process.env,
  stdoutIsTty: process.stdout.isTTY === true,
  stderrColumns: process.stderr.isTTY === true ? process.stderr.columns || 80 : undefined,
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
})
