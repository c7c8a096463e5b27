/** Rules of the widget in a customer's page. */
export const WIDGET_STYLE = `
#widget-form { display: grid; gap: 1rem; margin-top: 1rem; justify-items: start; }
#widget summary { cursor: pointer; color: var(--accent); font-weight: 600; }
#widget .settings { display: grid; gap: 1.5rem 2.5rem; margin-block: 1rem; }
fieldset { border: 0; padding: 0; min-width: 0; display: grid; gap: 0.75rem; }
legend { padding: 0; font-size: 0.875rem; color: var(--soft); margin-bottom: 0.5rem; }
.choice { display: grid; grid-template-columns: auto 1fr; gap: 0.75rem; align-items: start; cursor: pointer; }
.choice code { color: var(--soft); }
.choice input { accent-color: var(--accent); width: 1.25rem; height: 1.25rem; margin: 0.15rem 0 0; cursor: pointer; }
.choice input[role="switch"] { appearance: none; width: 2.5rem; height: 1.4rem; border-radius: 99px; border: 2px solid var(--soft); background: var(--surface); position: relative; }
.choice input[role="switch"]::before { content: ""; position: absolute; inset-block: 0.15rem; inset-inline-start: 0.15rem; aspect-ratio: 1; border-radius: 50%; background: var(--soft); }
.choice input[role="switch"]:checked { background: var(--accent); border-color: var(--accent); }
.choice input[role="switch"]:checked::before { background: var(--accent-ink); inset-inline: auto 0.15rem; }
#widget-status { color: var(--ink); font-weight: 600; margin-block: 0.75rem 0.25rem; }
#widget-calls { padding-inline-start: 1.5rem; margin-top: 0.5rem; color: var(--soft); font-size: 0.875rem; }
.windows { display: flex; flex-wrap: wrap; gap: 0.75rem; margin-block: 0.75rem; }
@media (min-width: 46rem) {
  #widget .settings { grid-template-columns: 1fr 1fr; }
  #widget fieldset { align-content: start; }
}
@media (forced-colors: active) {
  .choice input[role="switch"] { appearance: auto; }
}
`
