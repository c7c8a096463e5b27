/** The style sheet of the HTML report: light and dark by the reader's wish, one column on a phone, ink-saving in print. */
export const htmlStyle = `
:root {
  color-scheme: light dark;
  --page: #f5f6f8; --card: #fff; --ink: #1b1f27; --soft: #5b6472; --line: #dde1e7; --code: #f0f2f5;
  --red: #b3261e; --red-wash: #fdf0ef; --amber: #8a5a00; --amber-wash: #fdf6e7; --blue: #1f5fa8; --green: #1a7340;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14171c; --card: #1d2128; --ink: #e8eaee; --soft: #a3abb8; --line: #333a45; --code: #272d36;
    --red: #ff8d84; --red-wash: #33201f; --amber: #f0bd5e; --amber-wash: #302818; --blue: #8dbdf5; --green: #71cf98;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
header, main, footer { max-width: 70rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 2.5rem; }
.kicker { margin: 0; color: var(--soft); font-size: .875rem; }
h1 { margin: .1rem 0; font-size: clamp(1.6rem, 5vw, 2.25rem); line-height: 1.2; }
.counts { margin: .25rem 0 0; color: var(--soft); }
h2 { margin: 2.25rem 0 .75rem; font-size: 1.125rem; }
.boxes { display: grid; gap: .875rem; }
.quiet { grid-template-columns: repeat(auto-fill, minmax(min(100%, 20rem), 1fr)); gap: .625rem; }
article, .panel { background: var(--card); border: 1px solid var(--line); border-radius: .625rem; padding: 1rem 1.25rem; }
article { border-left: .3rem solid var(--line); break-inside: avoid; }
.quiet article { padding: .625rem .875rem; font-size: .875rem; }
h3 { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 .4rem; margin: 0; font-size: .9375rem; font-weight: 600; }
.quiet h3 { font-size: .8125rem; }
h3 code { font-weight: 400; color: var(--soft); }
p { margin: .5rem 0 0; }
.subject { font-family: ui-monospace, monospace; font-size: .875rem; }
.quiet .subject, .quiet .message { margin-top: .125rem; font-size: .8125rem; color: var(--soft); }
.label { margin-top: .75rem; font-size: .8125rem; font-weight: 600; color: var(--soft); }
.fix { margin-top: .2rem; padding: .5rem .75rem; background: var(--code); border-radius: .375rem; font-family: ui-monospace, monospace; font-size: .875rem; }
.place { margin-left: auto; font-size: .8125rem; font-weight: 400; color: var(--soft); }
.error { border-left-color: var(--red); background: var(--red-wash); }
.warning, .inconclusive { border-left-color: var(--amber); background: var(--amber-wash); }
.info { border-left-color: var(--blue); }
.pass { border-left-color: var(--green); }
.error .mark, .error .word, .not-sent .verdict { color: var(--red); }
.warning .mark, .warning .word, .inconclusive .mark, .inconclusive .word, .depends .verdict { color: var(--amber); }
.info .mark, .info .word { color: var(--blue); }
.pass .mark, .pass .word, .sent .verdict { color: var(--green); }
details { margin-top: .75rem; font-size: .9375rem; }
summary { cursor: pointer; color: var(--blue); width: fit-content; border-radius: .25rem; }
summary:focus-visible, a:focus-visible { outline: 2px solid var(--blue); outline-offset: 2px; }
summary::marker { content: ""; }
summary::-webkit-details-marker { display: none; }
.help { display: inline-block; width: 1.5em; height: 1.5em; border: 1px solid; border-radius: 50%; text-align: center; font-size: .8125rem; line-height: 1.35; font-weight: 700; }
a { color: var(--blue); }
dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem .75rem; margin: .625rem 0; }
dt { font-weight: 600; }
dd { margin: 0; font-family: ui-monospace, monospace; font-size: .8125rem; padding-top: .15rem; }
pre { margin: .625rem 0 0; padding: .75rem; background: var(--code); border-radius: .375rem; font: .875rem/1.5 ui-monospace, monospace; white-space: pre-wrap; }
.panel > p { margin-top: 0; }
.scroll { overflow-x: auto; padding: .25rem 1.25rem; }
table { width: 100%; border-collapse: collapse; font-size: .875rem; }
th, td { padding: .5rem .75rem .5rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
tr:last-child td { border-bottom: 0; }
th { color: var(--soft); font-weight: 600; }
.verdict { white-space: nowrap; font-weight: 600; }
@media (max-width: 40rem) {
  thead { display: none; }
  tr { display: block; padding: .5rem 0; border-bottom: 1px solid var(--line); }
  tr:last-child { border-bottom: 0; }
  td { display: inline; padding: 0 .5rem 0 0; border: 0; }
  td:last-child { display: block; color: var(--soft); }
}
footer { margin: 2.5rem auto; color: var(--soft); font-size: .8125rem; }
@media print {
  :root { --page: #fff; --card: #fff; --ink: #000; --soft: #444; --code: #f4f4f4; --red-wash: #fff; --amber-wash: #fff; }
  body { font-size: 11pt; }
  header { padding-top: 0; }
  details::details-content { content-visibility: visible; block-size: auto; }
}
`
