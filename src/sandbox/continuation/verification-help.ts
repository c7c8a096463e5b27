import { html } from 'hono/html'
import type { Markup } from '../look/document.ts'
import type { Check } from './verification.ts'

/** How to fix a failed check, on whatever forwards the requests. */
export const HELP: Readonly<Record<Check['check'], Markup>> = {
  forwarded: html`<ol>
<li>Open the address of your own site, not that of the service:
<code>https://www.example.com/service_cookie_transfer/</code>.</li>
<li>On your site forward every request below that path to the service, and set both <code>X-Widget-Key</code> and
<code>X-Continuation-Origin</code> on it.</li>
<li>Forward it with the host of the service in <code>Host</code>, not with that of your own site.</li>
<li>A rule that matches first (a redirect, a login, the site’s own 404) must not catch the path.</li>
</ol>
<p><code>continuation-point render nginx</code> prints what to paste into yours; apache, caddy, haproxy, traefik and
envoy work the same way.</p>`,
  origin: html`<ol>
<li>Set <code>X-Continuation-Origin</code> to scheme and host exactly as the browser shows them, with a port only when it
is not 443 for https or 80 for http, and no slash at the end: <code>https://www.example.com</code>.</li>
<li>http and https are two origins, and so are two hosts: each needs a continuation point with its own value.</li>
<li>Behind a TLS terminator the forwarding server itself sees http; write <code>https</code> all the same.</li>
<li>Replace what a browser may have sent, do not add to it: the field has to arrive once.</li>
</ol>
<p>nginx: <code>proxy_set_header X-Continuation-Origin https://www.example.com;</code></p>`,
  'widget-key': html`<ol>
<li>Copy the widget key from the integration panel: it is the key in the widget code, not the REST key.</li>
<li>Set it as <code>X-Widget-Key</code>, without quotes, spaces or a line break. Replace what a browser may have sent:
the field has to arrive once.</li>
<li>With several accounts, each continuation point needs the key of its own.</li>
</ol>
<p>nginx: <code>proxy_set_header X-Widget-Key &lt;WIDGET_KEY&gt;;</code></p>`,
  allowed: html`<ol>
<li>If another box is red, fix that one first.</li>
<li>In the account settings keep <code>cookie_transfer_enabled</code> and set <code>cookie_transfer_proxying</code> to
true.</li>
<li>Add this address to <code>cookie_transfer_urls</code> as the browser shows it, cookie path and last slash
included.</li>
</ol>
<p><code>continuation-point settings diff</code> shows what the account lacks, <code>settings apply</code> writes it.</p>`,
}
