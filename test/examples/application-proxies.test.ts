/* The examples of docs/application-proxies.md, in front of a small site in their language, as check sees them. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { startSandbox } from '../../src/sandbox/sandbox.ts'
import { demoAccount } from '../../src/sandbox/state/company.ts'
import { fakeIo, runCommand } from '../cli/fake-io.ts'
import { freePort, startSite } from '../front-ends/support/real-server.ts'
import { openForTest } from '../support/open-for-test.ts'

const folder = fileURLToPath(new URL('../../deploy/recipes/applications/', import.meta.url))
const textOf = (name: string) => readFileSync(`${folder}${name}`, 'utf8')
const PAGE = "<!doctype html><title>Shop</title><script>widget('demo-widget-key')</script>"

interface App {
  readonly file: string
  /** The program, and what else has to be there. */
  readonly needs: readonly string[]
  readonly isOptional?: true
  /** The site, by file. */
  readonly site: Readonly<Record<string, string>>
  run(folder: string, port: number): readonly string[]
}

const JARS = [
  'catalina',
  'coyote',
  'api',
  'juli',
  'servlet-api',
  'util',
  'util-scan',
  'jni',
  'annotations-api',
  'el-api',
  'jaspic-api',
].map((name) => `/usr/share/java/tomcat10-${name}.jar`)

const apps: readonly App[] = [
  {
    file: 'point.py',
    needs: ['/usr/bin/gunicorn'],
    site: {
      'site_app.py': `def application(environ, start_response):
    found = environ['PATH_INFO'] == '/'
    start_response('200 OK' if found else '404 Not Found', [('Content-Type', 'text/html')])
    return [b"""${PAGE}""" if found else b'The shop has no such page']
`,
    },
    run: (at, port) => [
      ...['--chdir', at, '--bind', `127.0.0.1:${port}`, '--threads', '8'],
      ...['--limit-request-line', '0', '--limit-request-field_size', '0', 'point:app'],
    ],
  },
  {
    file: 'point.php',
    needs: ['/usr/bin/php'],
    site: {
      'site.php': `<?php
if (str_starts_with($_SERVER['REQUEST_URI'], '/service_cookie_transfer/')) return require 'point.php';
if ($_SERVER['REQUEST_URI'] !== '/') http_response_code(404);
echo $_SERVER['REQUEST_URI'] === '/' ? "${PAGE}" : 'The shop has no such page';
`,
    },
    run: (at, port) => [
      ...['-d', 'enable_post_data_reading=0', '-d', 'output_buffering=0'],
      ...['-S', `127.0.0.1:${port}`, '-t', at, `${at}/site.php`],
    ],
  },
  {
    file: 'ContinuationPoint.java',
    needs: ['/usr/bin/javac', ...JARS],
    isOptional: true,
    site: {
      'Site.java': `import jakarta.servlet.http.*;
import org.apache.catalina.startup.Tomcat;
public class Site {
  public static void main(String[] words) throws Exception {
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(words[0]);
    tomcat.setPort(Integer.parseInt(words[1]));
    var connector = tomcat.getConnector();
    connector.setEncodedSolidusHandling("passthrough");
    connector.setProperty("maxHttpRequestHeaderSize", "65536");
    connector.setProperty("maxHttpResponseHeaderSize", "65536");
    var context = tomcat.addContext("", null);
    Tomcat.addServlet(context, "point", new ContinuationPoint());
    context.addServletMappingDecoded("/service_cookie_transfer/*", "point");
    Tomcat.addServlet(context, "site", new HttpServlet() {
      protected void service(HttpServletRequest request, HttpServletResponse response) throws java.io.IOException {
        boolean found = request.getRequestURI().equals("/");
        response.setStatus(found ? 200 : 404);
        response.setContentType("text/html");
        response.getWriter().write(found ? "${PAGE}" : "The shop has no such page");
      }
    });
    context.addServletMappingDecoded("/", "site");
    tomcat.start();
    tomcat.getServer().await();
  }
}
`,
    },
    run: (at, port) => [
      '-c',
      `cd ${at} && javac -nowarn -cp ${JARS.join(':')} *.java && exec java -cp ${JARS.join(':')}:. Site ${at} ${port}`,
    ],
  },
]

it('has each example that is there, under 60 lines', () => {
  expect(apps.map(({ file }) => file).sort()).toEqual(readdirSync(folder).sort())
  for (const { file } of apps) expect(textOf(file).trimEnd().split('\n').length).toBeLessThan(60)
})

describe.each(apps)('$file', ({ file, needs, isOptional, site, run }) => {
  const isMissing = !needs.every((path) => existsSync(path))

  it.skipIf(isMissing && (isOptional || process.env.CI === undefined))(
    'forwards all that check asks as it came',
    async () => {
      const port = await freePort()
      const origin = `http://www.shop.localhost:${port}`
      const points = [`${origin}/service_cookie_transfer/`]
      const sandbox = await openForTest(startSandbox())
      sandbox.setAccount(demoAccount({ cookie_transfer_urls: points }))
      const binary = file.endsWith('.java') ? '/bin/sh' : (needs[0] ?? '')
      const server = {
        name: file,
        binary,
        check: () => [],
        run: (_: string, at: string) => run(at, port),
        env: () => ({}),
      }
      const env = { SERVICE_URL: sandbox.url, POINT_ORIGIN: origin, WIDGET_KEY: 'demo-widget-key' }
      await openForTest(startSite(server, () => ({ [file]: textOf(file), ...site }), port, env))
      const config = {
        service: { url: sandbox.url },
        widgetKey: 'demo-widget-key',
        points,
        pages: [`${origin}/`],
      }
      const io = fakeIo({ 'config.json': JSON.stringify(config) })
      const { code, stdout } = await runCommand(
        ['check', '--config', 'config.json', '--format', 'pretty'],
        io,
      )
      expect(stdout).toMatch(/ passed \(\d+ confirmed by /)
      expect(stdout).toMatch(/^(?:no findings|1 note);|Not judged/m)
      expect([code, stdout.includes('✖')]).toEqual([0, false])
    },
    60_000,
  )
})
