import { expect, it } from 'vitest'
import { readCgroupLimits } from '../../src/serve/cgroup.ts'

const MEBIBYTE = 1_048_576
const V1 = '9:name=systemd:/\n4:memory:/shop/points\n2:cpu,cpuacct:/shop/points\n'

it.each<[what: string, files: Record<string, string>, limits: [number?, number?]]>([
  ['no control groups, as on macOS', {}, []],
  [
    'version 2, in a container of its own',
    {
      '/proc/self/cgroup': '0::/\n',
      '/sys/fs/cgroup/memory.max': '268435456\n',
      '/sys/fs/cgroup/memory.high': 'max\n',
      '/sys/fs/cgroup/cpu.max': '150000 100000\n',
    },
    [256, 1.5],
  ],
  [
    'version 2, without any limit',
    {
      '/proc/self/cgroup': '0::/points.service\n',
      '/sys/fs/cgroup/points.service/memory.max': 'max\n',
      '/sys/fs/cgroup/points.service/cpu.max': 'max 100000\n',
    },
    [],
  ],
  [
    'version 2, the group above is smaller',
    {
      '/proc/self/cgroup': '0::/web.slice/points.service\n',
      '/sys/fs/cgroup/web.slice/memory.max': `${128 * MEBIBYTE}\n`,
      '/sys/fs/cgroup/web.slice/points.service/memory.max': `${512 * MEBIBYTE}\n`,
      '/sys/fs/cgroup/web.slice/cpu.max': '400000 100000\n',
      '/sys/fs/cgroup/web.slice/points.service/cpu.max': '50000 100000\n',
    },
    [128, 0.5],
  ],
  [
    'version 2, slowed down before it is killed',
    {
      '/proc/self/cgroup': '0::/points.service\n',
      '/sys/fs/cgroup/points.service/memory.high': `${200 * MEBIBYTE}\n`,
      '/sys/fs/cgroup/points.service/memory.max': `${256 * MEBIBYTE}\n`,
    },
    [200],
  ],
  [
    'version 2, a group seen from beside it',
    { '/proc/self/cgroup': '0::/../points\n', '/sys/fs/cgroup/points/memory.max': `${MEBIBYTE}\n` },
    [1],
  ],
  [
    'version 2, a colon in the name of a group',
    { '/proc/self/cgroup': '0::/a:b\n', '/sys/fs/cgroup/a:b/memory.max': `${MEBIBYTE}\n` },
    [1],
  ],
  [
    'version 1, on the host',
    {
      '/proc/self/cgroup': V1,
      '/sys/fs/cgroup/memory/shop/points/memory.limit_in_bytes': `${256 * MEBIBYTE}\n`,
      '/sys/fs/cgroup/memory/memory.limit_in_bytes': '9223372036854771712\n',
      '/sys/fs/cgroup/cpu/shop/points/cpu.cfs_quota_us': '200000\n',
      '/sys/fs/cgroup/cpu/shop/points/cpu.cfs_period_us': '100000\n',
      '/sys/fs/cgroup/cpu/shop/cpu.cfs_quota_us': '-1\n',
      '/sys/fs/cgroup/cpu/shop/cpu.cfs_period_us': '100000\n',
    },
    [256, 2],
  ],
  [
    'version 1, in a container, which sees only its own group',
    {
      '/proc/self/cgroup': V1,
      '/sys/fs/cgroup/memory/memory.limit_in_bytes': `${256 * MEBIBYTE}\n`,
      '/sys/fs/cgroup/cpu/cpu.cfs_quota_us': '50000\n',
      '/sys/fs/cgroup/cpu/cpu.cfs_period_us': '100000\n',
    },
    [256, 0.5],
  ],
  [
    'both versions at once: version 2 has no controllers',
    {
      '/proc/self/cgroup': `${V1}0::/shop/points\n`,
      '/sys/fs/cgroup/memory/memory.limit_in_bytes': `${256 * MEBIBYTE}\n`,
    },
    [256],
  ],
  ['something else in the files', { '/proc/self/cgroup': 'garbage', '/sys/fs/cgroup/memory.max': '1' }, []],
])('the limits of the control groups: %s', async (_what, files, [mebibytes, processors]) => {
  const limits = await readCgroupLimits(async (path) => {
    const text = files[path]
    if (text === undefined) throw Object.assign(new Error('no such file'), { code: 'ENOENT' })
    return text
  })
  expect(limits).toEqual({
    memoryBytes: mebibytes === undefined ? undefined : mebibytes * MEBIBYTE,
    processors,
  })
})
