/** The shops' own colours, by brand and by the look that a visitor chose. */
export const SHOP_STYLE = `
body[data-brand="oak"] { --hero: #fbe9c6; --hero-ink: #3d2a08; }
body[data-brand="birch"] {
  --accent: #86198f; --accent-wash: #f7e4f8; --hero: #ecd9f3; --hero-ink: #35103a;
}
body[data-brand="birch"] :is(h1, h2, .bar strong) { font-family: Georgia, "Times New Roman", serif; }
body[data-brand="birch"] .mark::before, body[data-brand="birch"] .mark::after { border-radius: 50%; }
body[data-look="cool"] { --hero: #d3e6f8; --hero-ink: #0c2942; --ground: #eaf1f8; }
@media (prefers-color-scheme: dark) {
  body[data-brand="oak"] { --hero: #33260d; --hero-ink: #fbe9c6; }
  body[data-brand="birch"] {
    --accent: #e4a8ee; --accent-ink: #2c0a31; --accent-wash: #3a1a40; --hero: #321938; --hero-ink: #f5ddf9;
  }
  body[data-look="cool"] { --hero: #122c44; --hero-ink: #d6e9fb; --ground: #0b1219; }
}
.hero { background: var(--hero); color: var(--hero-ink); border-radius: 1.25rem; padding: clamp(1.5rem, 5vw, 3rem); }
.hero :is(.kicker, .lead) { color: inherit; }
.hero .lead { opacity: 0.85; }
.hero a { color: inherit; }
.visit dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(7rem, 1fr)); gap: 0.5rem 0.75rem; margin-block: 1rem 2rem; }
.visit dl > div { background: var(--surface); border: 1px solid var(--line); border-radius: 0.875rem; padding: 0.625rem 0.875rem; }
.visit dt { color: var(--soft); font-size: 0.8125rem; }
.visit dd { margin: 0; font-weight: 650; }
.visit dd::first-letter { text-transform: uppercase; }
.visit [data-changed] { border-color: var(--pass); background: var(--pass-wash); }
.visit [data-changed] dt::after { content: " – just changed"; color: var(--pass); font-weight: 650; }
.story { list-style: none; padding: 0; counter-reset: step; margin-bottom: 2rem; }
.story > li { counter-increment: step; display: grid; grid-template-columns: 2.25rem minmax(0, 1fr); gap: 0.25rem 1rem; border-width: 2px; }
.story > li > * { grid-column: 2; }
.story h2 { font-size: 1.375rem; }
.story > li::before { content: counter(step); display: grid; place-items: center; width: 2.25rem; height: 2.25rem; border-radius: 50%; background: var(--accent); color: var(--accent-ink); font-weight: 700; }
.fold summary { cursor: pointer; }
.fold h2 { display: inline; }
.basket.goods { max-width: 22rem; grid-template-columns: 1fr; margin-bottom: 2rem; }
.basket .good { display: block; }
.nothing { display: grid; place-items: center; aspect-ratio: 1.2; border: 2px dashed var(--line); border-radius: 0.875rem; color: var(--soft); }
.choices { display: flex; flex-wrap: wrap; gap: 0.75rem; margin-top: 1rem; }
.broken { color: var(--fail) !important; }
.breakage[data-mistake] { border: 2px solid var(--fail-line); background: var(--fail-wash); }
.report { margin-top: 0; overflow-x: auto; font-size: 0.875rem; white-space: pre; }
.report + p { margin-top: 1rem; }
@media (max-width: 26rem) {
  .visit dl { grid-template-columns: 1fr; }
  .visit dl > div { display: flex; justify-content: space-between; align-items: baseline; gap: 1rem; }
}
.report mark { background: var(--fail-wash); color: var(--fail); font-weight: 650; }
`
