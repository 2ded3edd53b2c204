// How the page looks: light and dark, on paper and on a phone. The page has no other style than this, and its policy allows no other.

export const STYLE: string = `
:root { color-scheme: light dark; --surface: #fbfbfa; --raised: #f1f1ee; --line: #d9d9d4; --text: #1d1d1b; --muted: #63635e;
  --good: #1a7f4b; --bad: #b3261e; --waiting: #8a5a00; --added: #e2f3e7; --removed: #fbe6e4; --link: #0b5cad; }
@media (prefers-color-scheme: dark) {
  :root { --surface: #161615; --raised: #20201e; --line: #3a3a37; --text: #e9e9e4; --muted: #a2a29b;
    --good: #6bcf97; --bad: #ff8a80; --waiting: #f0b64d; --added: #14301f; --removed: #3a1c1a; --link: #8ab8f0; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 24px 16px 64px; max-width: 860px; background: var(--surface); color: var(--text);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 22px; line-height: 1.3; margin: 0 0 4px; }
h2 { font-size: 13px; font-weight: 600; color: var(--muted); margin: 0 0 4px; }
h3, h4, h5, h6 { font-size: 16px; margin: 20px 0 4px; }
p { margin: 8px 0; }
a { color: var(--link); }
time { font-weight: 400; }
code, pre { font: 13px/1.4 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
code { background: var(--raised); border-radius: 4px; padding: 1px 4px; }
pre { margin: 0; padding: 8px 12px; background: var(--raised); border: 1px solid var(--line); border-radius: 6px;
  overflow: auto; max-height: 600px; white-space: pre-wrap; tab-size: 4; }
pre code { background: none; padding: 0; }
header { border-bottom: 1px solid var(--line); padding-bottom: 16px; margin-bottom: 24px; }
header .facts, footer { color: var(--muted); font-size: 14px; margin: 0; }
footer { border-top: 1px solid var(--line); margin-top: 32px; padding-top: 12px; }
.notice { border: 1px solid var(--waiting); border-radius: 6px; padding: 8px 12px; font-size: 14px; }
.text, .prompt, .plan, .question, .changes { margin: 16px 0; }
.text, .prompt .plain { max-width: 80ch; }
.prompt { background: var(--raised); border: 1px solid var(--line); border-radius: 6px; padding: 12px 16px; }
.plan, .question { border-left: 3px solid var(--line); padding-left: 12px; }
.plain { white-space: pre-wrap; margin: 0; }
.text p, .text li, .text td, blockquote p { white-space: pre-line; }
blockquote { margin: 8px 0; padding-left: 12px; border-left: 3px solid var(--line); color: var(--muted); }
ul, ol { padding-left: 24px; margin: 8px 0; }
.level-1 { margin-left: 20px; } .level-2 { margin-left: 40px; } .level-3 { margin-left: 60px; }
.todos { list-style: none; padding-left: 4px; font-size: 14px; }
.code { position: relative; margin: 8px 0; }
.language { position: absolute; top: 4px; right: 10px; font-size: 12px; color: var(--muted); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: 14px; font-variant-numeric: tabular-nums; }
th, td { border: 1px solid var(--line); padding: 4px 10px; text-align: left; vertical-align: top; }
th { background: var(--raised); font-weight: 600; }
.row, .remark { font-size: 14px; color: var(--muted); margin: 4px 0; white-space: pre-wrap; }
.bad { color: var(--bad); } .good { color: var(--good); } .waiting { color: var(--waiting); }
details { margin: 4px 0; font-size: 14px; }
summary { cursor: pointer; padding: 2px 0; color: var(--muted); }
summary b { color: var(--text); }
summary .title { color: var(--text); font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 13px; }
.word, .counts { color: var(--muted); font-size: 13px; font-variant-numeric: tabular-nums; }
.inside { padding: 4px 0 8px 20px; }
.thought .inside { color: var(--muted); }
.thread { border-left: 2px solid var(--line); padding-left: 12px; }
.label { font-size: 12px; color: var(--muted); margin: 8px 0 2px; }
.file { margin: 8px 0 4px; font-size: 14px; }
.diff span { display: block; }
.diff .added { background: var(--added); } .diff .removed { background: var(--removed); } .diff .hunk { color: var(--muted); }
.hidden { border: 1px solid var(--waiting); border-radius: 3px; color: var(--waiting); font: 11px/1 ui-monospace, monospace; padding: 0 3px; }
img { max-width: 100%; max-height: 600px; border: 1px solid var(--line); border-radius: 6px; }
@media (max-width: 600px) { body { padding: 16px 12px 48px; } .inside { padding-left: 8px; } .thread { padding-left: 8px; } }
@media print { body { max-width: none; } pre { max-height: none; } details > summary { list-style: none; } a::after { content: " (" attr(href) ")"; } }
`;
