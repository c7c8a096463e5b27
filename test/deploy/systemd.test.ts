import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { parseArguments } from '../../src/cli/arguments.ts'
import { command } from '../../src/cli/check.ts'
import { EXIT_CODE } from '../../src/cli/command.ts'
import { isInstalled, verifyUnits } from './installed.ts'
import { deploy, readConfig, requestsThatFit } from './manifests.ts'

const read = (name: string) => readFileSync(join(deploy, 'systemd', name), 'utf8')
const settingsOf = (unit: string) =>
  unit
    .split('\n')
    .filter((line) => /^\w+=/.test(line))
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const)
const text = read('continuation-point@.service')
const settings = settingsOf(text)
const settingOf = (name: string) => settings.find(([each]) => each === name)?.[1]

const config = readConfig('systemd/config.json')

describe('the unit', () => {
  it('runs a command of the package', () => {
    const [command = '', ...words] = settingOf('ExecStart')?.split(' ') ?? []
    expect(Object.keys(packageJson.bin)).toContain(basename(command))
    const ports = ['--port', '%i', '--admin-port', '1%i']
    expect(words).toEqual(['serve', '--config', '/etc/continuation-point/config.json', ...ports])
  })

  it('tests a config before the program reloads it', () => {
    const reloads = settings.filter(([name]) => name === 'ExecReload').map(([, command]) => command)
    expect(reloads).toEqual([
      `${settingOf('ExecStart')?.replace(' serve ', ' serve --test ')}`,
      '/bin/kill -HUP $MAINPID',
    ])
  })

  it('hands the key over as a credential', () => {
    const [name] = settingOf('LoadCredential')?.split(':') ?? []
    expect(settingOf('Environment')?.split(' ')).toContain(`CONTINUATION_WIDGET_KEY_FILE=%d/${name}`)
    expect(config.widgetKey).toBeUndefined()
  })

  it('waits longer than the drain takes', () => {
    expect(Number(settingOf('TimeoutStopSec')) * 1_000).toBeGreaterThan(config.timeouts.drainMs)
  })

  it('gives memory for some hundred requests at once', () => {
    expect(requestsThatFit(settingOf('MemoryMax') ?? '', config)).toBeGreaterThanOrEqual(512)
  })

  it('does not restart with a config that can’t be served', () => {
    expect(settingOf('RestartPreventExitStatus')).toBe(String(EXIT_CODE.usage))
  })

  it('outlasts an address that comes up 30 s late, and one that takes longer', () => {
    const starts = Number(settingOf('StartLimitBurst'))
    // A failing start takes some time too; without it, all of them are within the interval.
    const leastSeconds = starts * Number(settingOf('RestartSec'))
    expect(leastSeconds).toBeGreaterThan(2 * 30)
    expect(Number(settingOf('StartLimitIntervalSec'))).toBeGreaterThan(leastSeconds)
    // It is a failure that systemd tries again.
    expect(settingOf('RestartPreventExitStatus')).not.toContain(String(EXIT_CODE.inconclusive))
  })

  it('restarts after a reload that comes before it listens for SIGHUP', () => {
    // For systemd, an end by SIGHUP is a success.
    expect(settingOf('Restart')).toBe('on-failure')
    expect(settingOf('RestartForceExitStatus')).toBe('SIGHUP')
  })

  it('is confined', () => {
    expect(Object.fromEntries(settings)).toMatchObject({
      DynamicUser: 'yes',
      NoNewPrivileges: 'yes',
      ProtectSystem: 'strict',
      ProtectHome: 'yes',
      PrivateDevices: 'yes',
      CapabilityBoundingSet: '',
      SystemCallArchitectures: 'native',
    })
  })

  it('lets V8 write code and run it', () => {
    expect(settings.map(([name]) => name)).not.toContain('MemoryDenyWriteExecute')
  })
})

const socket = read('continuation-point@.socket')

it('the socket is that of the service, where its config listens', () => {
  expect(socket).toContain(`\nListenStream=${config.listen.host}:%i\n`)
  expect(socket).toContain('\nWantedBy=sockets.target\n')
})

describe('the unit that checks', () => {
  const check = read('continuation-point-check.service')
  const settingsOfCheck = Object.fromEntries(settingsOf(check))

  it('writes what the collector of the node exporter reads', () => {
    const [, name = '', ...words] = settingsOfCheck.ExecStart?.split(' ') ?? []
    const { values } = Object(parseArguments(name, words, command)).args ?? {}
    expect([name, values]).toEqual(['check', expect.objectContaining({ format: 'prometheus' })])
    expect(settingsOfCheck.StandardOutput).toMatch(/^truncate:\/.+\.prom$/)
    expect(settingsOfCheck.UMask).toBe('0022')
  })

  it('has the key and the config of serve, and is confined as it is', () => {
    const confined =
      /^(?:Private|Protect|Restrict|System(?!CallFilter)|Capability|Lock|NoNew|Dynamic|Load|Environment)/
    const own = settings.filter(([each]) => confined.test(each))
    expect(settingsOf(check)).toEqual(expect.arrayContaining(own))
  })

  it('does not fail for findings, which the metrics have', () => {
    expect(settingsOfCheck.SuccessExitStatus).toBe(String(EXIT_CODE.findings))
  })
})

it.runIf(isInstalled('systemd-analyze'))('systemd verifies the units', () => {
  const check = { 'continuation-point-check.service': read('continuation-point-check.service') }
  const timer = { 'continuation-point-check.timer': read('continuation-point-check.timer') }
  expect(verifyUnits(check)).toBe('nothing')
  expect(verifyUnits({ ...timer, ...check })).toBe('nothing')
  const service = { 'continuation-point@8080.service': text }
  expect(verifyUnits(service)).toBe('nothing')
  expect(verifyUnits({ 'continuation-point@8080.socket': socket, ...service })).toBe('nothing')
})
