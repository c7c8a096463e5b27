/** The style sheet of the HTML report: light or dark as the reader prefers, one column on a phone. */
export const HTML_STYLE = `
:root {
  color-scheme: light dark;
  --page: #f5f6f8; --card: #fff; --ink: #1b1f27; --soft: #5b6472; --line: #dde1e7; --code: #f0f2f5;
  --red: #b3261e; --red-wash: #fdf0ef; --amber: #8a5a00; --amber-wash: #fdf6e7; --blue: #1f5fa8; --green: #1a7340;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14171c; --card: #1d2128; --ink: #e8eaee; --soft: #a3abb8; --line: #3a4250; --code: #272d36;
    --red: #ff8d84; --red-wash: #33201f; --amber: #f0bd5e; --amber-wash: #302818; --blue: #8dbdf5; --green: #71cf98;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: break-word; }
header, main, footer { max-width: 64rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 2rem; }
.kicker, .counts, .run { margin: 0; color: var(--soft); font-size: .875rem; }
h1 { margin: .1rem 0; font-size: clamp(1.6rem, 5vw, 2.25rem); line-height: 1.2; }
.counts { margin-top: .25rem; }
h2 { margin: 2rem 0 .625rem; font-size: 1.125rem; }
h3, h4 { margin: 0; font-size: .9375rem; font-weight: 600; }
h4 { font-size: .8125rem; }
h3 code, h4 code { font-weight: 400; color: var(--soft); }
code, .subject, pre, dd { font-family: ui-monospace, monospace; }
code { font-size: .875em; }
p { margin: .5rem 0 0; }
ul { margin: 0; padding: 0; list-style: none; }
li { padding: .375rem 0; border-bottom: 1px solid var(--line); }
li:last-child { border-bottom: 0; }
.causes { display: grid; grid-template-columns: minmax(0, 1fr); gap: .875rem; }
.cause, .panel { background: var(--card); border: 1px solid var(--line); border-radius: .625rem; padding: 1rem 1.25rem; }
.cause { border-left: .3rem solid var(--line); break-inside: avoid; }
.cause.error { border-left-color: var(--red); background: var(--red-wash); }
.cause.warning { border-left-color: var(--amber); background: var(--amber-wash); }
.cause.info { border-left-color: var(--blue); }
.message { font-size: 1.0625rem; }
.subjects { margin-top: .375rem; }
.subjects article, .boxes article { font-size: .875rem; }
.boxes { margin-top: .375rem; }
.boxes article { padding: .25rem 0; }
.boxes article p { margin: 0; color: var(--soft); font-size: .8125rem; }
.place, .extent { color: var(--soft); font-size: .8125rem; font-weight: 400; }
.label { margin-top: .75rem; font-size: .8125rem; font-weight: 600; color: var(--soft); }
.fix { margin-top: .2rem; padding: .5rem .75rem; background: var(--code); border-radius: .375rem; font-size: .875rem; }
.error > h3 .mark, .error > h3 .word, .error > h4 .mark, .error > h4 .word { color: var(--red); }
.warning > h3 .mark, .warning > h3 .word, .inconclusive .mark { color: var(--amber); }
.info > h3 .mark, .info > h3 .word { color: var(--blue); }
.pass .mark, .pass .word { color: var(--green); }
summary { cursor: pointer; border-radius: .25rem; }
summary:focus-visible, a:focus-visible { outline: 2px solid var(--blue); outline-offset: 2px; }
.help { margin-top: .75rem; font-size: .9375rem; }
.help > summary { color: var(--blue); width: fit-content; }
.question { display: inline-block; width: 1.5em; height: 1.5em; border: 1px solid; border-radius: 50%; text-align: center; font-size: .8125rem; line-height: 1.35; font-weight: 700; }
.quiet { padding: .375rem 0; border-bottom: 1px solid var(--line); }
.quiet:last-child { border-bottom: 0; }
.quiet .boxes { columns: 20rem; column-gap: 1.5rem; }
.quiet article { break-inside: avoid; }
a { color: var(--blue); }
dl { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: .25rem .75rem; margin: .625rem 0 0; }
dt { font-weight: 600; font-size: .875rem; }
dd { margin: 0; font-size: .8125rem; padding-top: .1rem; }
.evidence dt { color: var(--soft); }
pre { margin: .625rem 0 0; padding: .75rem; background: var(--code); border-radius: .375rem; font-size: .875rem; line-height: 1.5; white-space: pre-wrap; }
.panel > p:first-child { margin-top: 0; }
.scroll { overflow: auto; }
.scroll:focus-visible { outline: 2px solid var(--blue); outline-offset: 2px; }
table { width: max-content; min-width: 100%; border-collapse: separate; border-spacing: 0; font-size: .875rem; line-height: 1.35; }
th, td { padding: .4rem .75rem; text-align: center; vertical-align: top; border-bottom: 1px solid var(--line); font-weight: 600; }
th:first-child { position: sticky; left: 0; background: var(--card); text-align: left; min-width: 9rem; max-width: 16rem; overflow-wrap: anywhere; padding-left: 0; }
thead th { min-width: 6rem; max-width: 8rem; vertical-align: bottom; color: var(--soft); font-weight: 400; overflow-wrap: anywhere; }
tbody .extent { display: block; }
.verdict { font-weight: 600; }
td.verdict, thead th:nth-child(2) { min-width: 6rem; max-width: 9rem; text-align: left; }
.sideways { display: none; }
td.travels, .good .verdict, .sent .verdict, .sent h1 { color: var(--green); }
td.depends, .unsure .verdict, .depends .verdict, .depends h1, th.unsure { color: var(--amber); }
td.broken, .bad .verdict, .not-sent .verdict, .not-sent h1, th.bad { color: var(--red); }
.map { margin: 0; }
.map svg { display: block; width: 100%; min-width: 44rem; height: auto; }
.map rect { fill: var(--card); stroke: var(--line); }
.map .good rect { stroke: var(--green); }
.map .unsure rect { stroke: var(--amber); fill: var(--amber-wash); }
.map .bad rect { stroke: var(--red); fill: var(--red-wash); }
.map text { fill: var(--ink); font: 13px ui-monospace, monospace; }
.map .second { fill: var(--soft); font-size: 12px; }
.map .head { fill: var(--soft); font: 600 13px system-ui, sans-serif; }
.map .sign { text-anchor: end; font-family: system-ui, sans-serif; }
.map .good .sign { fill: var(--green); }
.map .unsure .sign { fill: var(--amber); }
.map .bad .sign { fill: var(--red); }
.map path { fill: none; stroke-width: 1.75; }
.map .travels { stroke: var(--green); }
.map .depends { stroke: var(--amber); stroke-dasharray: 6 4; }
.map .broken { stroke: var(--red); stroke-dasharray: 2 5; }
.map .gap { fill: var(--card); }
.map .cross { stroke: var(--red); stroke-width: 2; }
figcaption { margin-top: .625rem; font-size: .8125rem; color: var(--soft); }
.key { margin-right: 1rem; white-space: nowrap; }
.key::before { content: ""; display: inline-block; width: 1.75rem; margin-right: .375rem; vertical-align: middle; border-top: 2px solid var(--green); }
.key.depends::before { border-top: 2px dashed var(--amber); }
.key.broken::before { border-top: 2px dotted var(--red); }
footer { margin: 2rem auto; color: var(--soft); font-size: .8125rem; }
@media (max-width: 40rem) {
  header, main, footer { padding: 0 .75rem; }
  header { padding-top: 1.25rem; }
  .cause, .panel { padding: .75rem .875rem; }
  dl { grid-template-columns: minmax(0, 1fr); }
  th, td { padding-inline: .375rem; }
  th:first-child { min-width: 5rem; max-width: 6.75rem; }
  thead th { font-size: .8125rem; }
  thead th, td.verdict, thead th:nth-child(2) { min-width: 4.5rem; max-width: 4.75rem; }
  .sideways { display: block; }
}
`
