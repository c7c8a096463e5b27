// Upkeep that only the registry can judge. `node release/upkeep.mjs [FOLDER [DATE]]` exits with 1 if a dependency of the
// package in FOLDER has a newer version within its range; in CI it only warns, since a commit must not start to fail because
// something was published. It also only warns of an old Public Suffix List, which a release can't renew. Without a registry
// it says what was skipped.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { argv, env } from 'node:process'

/** The Public Suffix List changes weekly; `check` judges cookies by the one that is installed. */
const OLDEST_LIST_DAYS = 120

const [, , folder = join(import.meta.dirname, '..'), date = new Date().toISOString()] = argv

const outdated = ask('outdated', '--json')
if ('error' in outdated) console.warn(`! skipped, no registry (${outdated.error.code}): npm outdated`)
else {
  // `latest` may be outside of the range, which is a decision and not upkeep.
  const newer = Object.entries(outdated).filter(([, { current, wanted }]) => current !== wanted)
  const isCi = env.CI !== undefined
  for (const [name, { current = 'not installed', wanted }] of newer)
    console.error(
      `${isCi ? '!' : '✖'} ${name} is ${current}, and its range has ${wanted}: npm update ${name}`,
    )
  if (newer.length > 0 && !isCi) process.exitCode = 1
}

const { version } = JSON.parse(readFileSync(join(folder, 'node_modules/tldts/package.json'), 'utf8'))
const times = ask('view', 'tldts', 'time', '--json')
if ('error' in times)
  console.warn(`! skipped, no registry (${times.error.code}): the age of the Public Suffix List`)
else {
  const days = Math.floor((Date.parse(date) - Date.parse(times[version])) / 86_400_000)
  // Also if the registry doesn't know when this version was published.
  if (!(days <= OLDEST_LIST_DAYS))
    console.warn(`! the Public Suffix List (tldts ${version}) is ${days} days old: npm update tldts`)
}

/** What npm prints as JSON; that is an object with `error` if the registry can't be asked. */
function ask(...words) {
  const { stdout } = spawnSync('npm', [...words, '--fetch-retry-mintimeout=1000', '--fetch-retries=1'], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...env, npm_config_update_notifier: 'false' },
  })
  return JSON.parse(stdout.trim() || '{}')
}
