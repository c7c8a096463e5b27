/** The common look of the stand-in's pages. */
export const STYLESHEET = `
:root {
  color-scheme: light dark;
  --ground: #f4f6f5; --surface: #ffffff; --ink: #14201d; --soft: #52625d; --line: #d8e0dd;
  --accent: #0f766e; --accent-ink: #ffffff; --accent-wash: #dff2ef;
  --pass: #17703a; --pass-wash: #e6f4ea; --pass-line: #a9d5b7;
  --fail: #b3261e; --fail-wash: #fdeceb; --fail-line: #eea9a4;
  --wait: #7a5b00; --wait-wash: #fdf5dc; --wait-line: #e4cf8a;
  --shadow: 0 1px 2px rgb(20 32 29 / 6%), 0 8px 24px -12px rgb(20 32 29 / 18%);
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0e1513; --surface: #16201d; --ink: #e8efec; --soft: #9db0aa; --line: #2a3833;
    --accent: #5ccfc0; --accent-ink: #06211d; --accent-wash: #12332e;
    --pass: #7fd89b; --pass-wash: #13291b; --pass-line: #29583a;
    --fail: #ff9c94; --fail-wash: #331816; --fail-line: #7a322d;
    --wait: #ecc968; --wait-wash: #2b240f; --wait-line: #5f5124;
    --shadow: none;
  }
}
* { box-sizing: border-box; margin: 0; }
[hidden] { display: none !important; }
body {
  background: var(--ground); color: var(--ink); min-height: 100vh;
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
  overflow-wrap: anywhere;
}
main, .bar, footer { width: min(100% - 2.5rem, 62rem); margin-inline: auto; }
h1 { font-size: clamp(1.9rem, 1.3rem + 2.6vw, 3rem); line-height: 1.1; letter-spacing: -0.025em; text-wrap: balance; }
h2 { font-size: 1.125rem; line-height: 1.3; letter-spacing: -0.01em; }
h3 { font-size: 0.95rem; margin-top: 1.25rem; }
a { color: var(--accent); text-underline-offset: 0.2em; }
code { font: 0.875em/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; border-radius: 0.375rem; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

.bar { display: flex; flex-wrap: wrap; align-items: center; gap: 0.625rem; padding-block: 1.25rem; }
.bar nav { margin-inline-start: auto; display: flex; gap: 1.25rem; }
.mark { position: relative; width: 1.5rem; height: 1.5rem; flex: none; }
.mark::before, .mark::after { content: ""; position: absolute; width: 1rem; height: 1rem; border-radius: 0.3rem; background: var(--accent); }
.mark::after { right: 0; bottom: 0; opacity: 0.55; }
.tag { border: 1px solid var(--line); border-radius: 99px; padding: 0 0.6rem; color: var(--soft); font-size: 0.8125rem; white-space: nowrap; }
.kicker { color: var(--accent); font-size: 0.8125rem; font-weight: 650; letter-spacing: 0.06em; text-transform: uppercase; margin-bottom: 0.5rem; }
.lead { color: var(--soft); font-size: 1.0625rem; max-width: 52rem; margin-top: 0.75rem; }
.verdict { padding-block: clamp(1.5rem, 5vw, 3.25rem) clamp(1.5rem, 4vw, 2.25rem); }
.verdict[data-verdict="pass"] h1 { color: var(--pass); }
.verdict[data-verdict="fail"] h1 { color: var(--fail); }

.boxes { display: grid; gap: 0.75rem; }
.box {
  --tone: var(--pass); --wash: var(--pass-wash); --edge: var(--pass-line); --sign: "\\2713";
  display: grid; grid-template-columns: auto 1fr auto; gap: 0.5rem 0.75rem; align-items: center;
  background: var(--wash); border: 1px solid var(--edge); border-radius: 0.875rem; padding: 1.125rem 1.25rem;
}
.box[data-outcome="fail"] { --tone: var(--fail); --wash: var(--fail-wash); --edge: var(--fail-line); --sign: "\\00d7"; border-width: 2px; }
.box[data-waiting] { --tone: var(--wait); --wash: var(--wait-wash); --edge: var(--wait-line); --sign: "\\2026"; }
.state { flex: none; display: grid; place-items: center; width: 1.625rem; height: 1.625rem; border-radius: 50%; background: var(--tone); color: var(--wash); font-weight: 700; line-height: 1; }
.state::before { content: var(--sign); }
.found { grid-column: 1 / -1; }
.outcome { color: var(--tone); font-size: 0.875rem; font-weight: 650; }
.waiting { color: var(--wait); font-size: 0.9375rem; margin-top: 0.5rem; }
.help { margin-top: 0.875rem; }
.help summary { display: inline-flex; align-items: center; gap: 0.5rem; cursor: pointer; list-style: none; color: var(--tone); font-weight: 600; }
.help summary::-webkit-details-marker { display: none; }
.help summary:hover { text-decoration: underline; text-underline-offset: 0.2em; }
.help-icon { display: grid; place-items: center; width: 1.5rem; height: 1.5rem; border-radius: 50%; border: 2px solid currentcolor; font-size: 0.875rem; font-weight: 750; line-height: 1; }
.help-text { background: var(--surface); border-radius: 0.625rem; padding: 0.875rem 1rem; margin-top: 0.75rem; font-size: 0.9375rem; }
.help-text ol { padding-inline-start: 1.25rem; display: grid; gap: 0.375rem; }
.help-text p { margin-top: 0.75rem; color: var(--soft); }

.panel { background: var(--surface); border: 1px solid var(--line); border-radius: 0.875rem; padding: 1.25rem; margin-top: 1rem; box-shadow: var(--shadow); }
.panel p { color: var(--soft); margin-top: 0.25rem; }
.facts { display: grid; gap: 0.75rem 1.5rem; margin-top: 0.75rem; padding: 0; }
.facts dt { color: var(--soft); font-size: 0.875rem; }
.chips li { background: var(--accent-wash); border-radius: 99px; padding: 0.125rem 0.75rem; }
.chips span { color: var(--soft); font-size: 0.8125rem; margin-inline-start: 0.25rem; }
.row { list-style: none; padding: 0; display: flex; flex-wrap: wrap; align-items: center; gap: 0.75rem; margin-block: 0.75rem; }
footer { color: var(--soft); font-size: 0.875rem; padding-block: 2rem 3rem; }
footer p { max-width: 46rem; }

.pin { display: inline-block; background: var(--accent-wash); border-radius: 0.5rem; padding: 0.1rem 0.6rem; margin-inline-end: 0.25rem; font-size: 1.25rem; font-weight: 700; letter-spacing: 0.15em; color: var(--ink); }
.field { display: grid; gap: 0.375rem; margin-top: 0.75rem; max-width: 32rem; }
.field input { font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--soft); border-radius: 0.5rem; padding: 0.5rem 0.75rem; }

.goods { display: grid; gap: 1rem; padding: 0; list-style: none; }
.good { background: var(--surface); border: 1px solid var(--line); border-radius: 0.875rem; overflow: hidden; box-shadow: var(--shadow); }
.good svg { display: block; width: 100%; height: auto; background: var(--accent-wash); }
.good div { display: flex; justify-content: space-between; gap: 1rem; padding: 0.875rem 1.125rem; }
.good span { color: var(--soft); }
.action { display: inline-block; border: 1px solid var(--accent); border-radius: 0.625rem; padding: 0.55rem 1rem; background: var(--accent); color: var(--accent-ink); font-weight: 600; text-decoration: none; }
.action:hover { text-decoration: underline; }
button.action { font: inherit; font-weight: 600; cursor: pointer; }
.action.quiet { background: transparent; color: var(--accent); }
.action:disabled { opacity: 0.6; cursor: not-allowed; text-decoration: none; }

@media (min-width: 46rem) {
  .box { grid-template-columns: auto 12.5rem 1fr auto; align-items: start; }
  .box > .found { grid-column: 3; grid-row: 1; }
  .facts { grid-template-columns: 1fr 1fr; }
  .goods { grid-template-columns: repeat(3, 1fr); }
}
@media (max-width: 45.99rem) {
  .good { display: grid; grid-template-columns: 7rem 1fr; align-items: center; }
}
@media (forced-colors: active) {
  .box, .state, .help-icon { border: 2px solid; }
}
`
