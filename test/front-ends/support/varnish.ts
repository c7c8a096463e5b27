import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { top } from '../../project/source-tree.ts'
import { type RunningProxy, startProxy } from '../../support/start-proxy.ts'
import { freePort, type RealServer, type RunningServer, skips, startSite } from './real-server.ts'

/** Varnish, started as the comment in the text says. */
export function varnishd(text: string, port: number): RealServer {
  const parameters = [...text.matchAll(/-p \S+/g)].flatMap(([parameter]) => parameter.split(' '))
  return {
    name: 'varnish',
    binary: '/usr/sbin/varnishd',
    check: (file, folder) => ['-j', 'none', '-C', '-f', file, '-n', folder],
    run: (file, folder) => [
      '-F',
      ...['-j', 'none', '-a', `127.0.0.1:${port}`, '-f', file, '-n', join(folder, 'varnish')],
      ...['-s', 'malloc,16m', ...parameters],
    ],
    env: () => ({}),
  }
}

export const skipsVarnish = skips(varnishd('', 0))

/** The example of `deploy/recipes`, in front of a `serve` of its own. */
export async function startVarnish(
  serviceUrl: string,
  toPoint: (port: number) => string,
  edit: (text: string) => string = (text) => text,
): Promise<RunningServer & { readonly port: number; readonly url: string }> {
  const port = await freePort()
  const url = toPoint(port)
  const proxy: RunningProxy = await startProxy(serviceUrl, { widgetKey: 'the-widget-key', points: [url] })
  const recipe = readFileSync(join(top, 'deploy/recipes/varnish/default.vcl'), 'utf8')
  const text = edit(recipe.replace('"8080"', `"${proxy.port}"`))
  const server = await startSite(varnishd(text, port), () => ({ 'server.conf': text }), port)
  const close = async () => {
    await server.close()
    await proxy.close()
  }
  return { ...server, port, url, close }
}
