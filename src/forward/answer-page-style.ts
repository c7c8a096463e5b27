/** The look of the verification page, as far as a page with one box needs it. */
export const PAGE_STYLE = `
:root{color-scheme:light dark;--ground:#f4f6f5;--surface:#fff;--ink:#14201d;--soft:#52625d;--line:#d8e0dd;--accent:#0f766e;--fail:#b3261e;--wash:#fdeceb;--edge:#eea9a4}
@media (prefers-color-scheme:dark){:root{--ground:#0e1513;--surface:#16201d;--ink:#e8efec;--soft:#9db0aa;--line:#2a3833;--accent:#5ccfc0;--fail:#ff9c94;--wash:#331816;--edge:#7a322d}}
*{box-sizing:border-box;margin:0}
body{background:var(--ground);color:var(--ink);min-height:100vh;font:1rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:anywhere}
header,main{width:min(100% - 2.5rem,46rem);margin-inline:auto}
header{display:flex;align-items:center;gap:.625rem;padding-block:1.25rem}
main{display:grid;gap:1rem;padding-block:clamp(1rem,5vw,3rem)}
.mark{position:relative;width:1.5rem;height:1.5rem}
.mark::before,.mark::after{content:"";position:absolute;width:1rem;height:1rem;border-radius:.3rem;background:var(--accent)}
.mark::after{right:0;bottom:0;opacity:.55}
.kicker{color:var(--accent);font-size:.8125rem;font-weight:650;letter-spacing:.06em;text-transform:uppercase}
h1{color:var(--fail);font-size:clamp(1.7rem,1.3rem + 2vw,2.5rem);line-height:1.15;letter-spacing:-.025em;text-wrap:balance;margin-bottom:.5rem}
h2{display:flex;align-items:center;gap:.75rem;font-size:1.125rem;line-height:1.3}
code{font:.875em/1.5 ui-monospace,"SF Mono",Menlo,Consolas,monospace}
.box{background:var(--wash);border:2px solid var(--edge);border-radius:.875rem;padding:1.125rem 1.25rem;display:grid;gap:.75rem}
.sign{flex:none;display:grid;place-items:center;width:1.625rem;height:1.625rem;border-radius:50%;background:var(--fail);color:var(--wash)}
.outcome{margin-inline-start:auto;color:var(--fail);font-size:.875rem}
.next,dl{background:var(--surface);border-radius:.625rem;padding:.875rem 1rem}
.next strong{display:block}
.soft,dt{color:var(--soft)}
dl{border:1px solid var(--line);border-radius:.875rem;padding:1.125rem 1.25rem;display:grid;gap:.75rem 1.5rem;grid-template-columns:repeat(auto-fit,minmax(min(100%,18rem),1fr))}
dt{font-size:.875rem}
dd{margin:0}
dd code+code{display:block}
@media (forced-colors:active){.box,.sign{border:2px solid}}
`
