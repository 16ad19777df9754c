import { hash } from 'node:crypto';

/** Contrast is 7:1 or better for text; focus is always visible; nothing needs more than 320 CSS pixels. */
export const STYLE = `
:root{color-scheme:light dark;--ink:#1c1b22;--paper:#ffffff;--quiet:#50505c;--line:#8a8a96;--accent:#1d4ed8;--on-accent:#ffffff;--alarm:#9f1239;--field:#ffffff}
@media (prefers-color-scheme:dark){:root{--ink:#f3f3f6;--paper:#17171c;--quiet:#c3c3ce;--line:#8a8a96;--accent:#a9c4ff;--on-accent:#10131c;--alarm:#ffb4c4;--field:#202028}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
main{max-width:28rem;margin:0 auto;padding:2rem 1.25rem}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 1rem}
h2{font-size:1.05rem;margin:1.25rem 0 .25rem}
p,ul,dl{margin:.5rem 0}
.site{color:var(--quiet);margin:0 0 .5rem}
.quiet{color:var(--quiet)}
.alarm{color:var(--alarm);border-left:.25rem solid;padding-left:.75rem}
label{display:block;margin:1rem 0 .25rem;font-weight:600}
h3{font-size:1rem;margin:1rem 0 .25rem}
input[type=email],input[type=password],input[type=text],textarea,select{width:100%;padding:.6rem;border:1px solid var(--line);border-radius:.4rem;background:var(--field);color:inherit;font:inherit}
button{padding:.65rem 1.1rem;border:1px solid var(--line);border-radius:.4rem;background:transparent;color:inherit;font:inherit;font-weight:600;cursor:pointer}
button.main{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}
button.link{border:0;padding:0;font-weight:400;text-decoration:underline;color:inherit}
label.choice{font-weight:400;margin:.25rem 0}
a{color:var(--accent)}
.actions{display:flex;flex-wrap:wrap;gap:.75rem;margin-top:1.5rem}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
code,.host{overflow-wrap:anywhere}
`;

/** Source expression of the Content Security Policy for exactly this style (CSP Level 3 §2.3.1). */
export const STYLE_SOURCE = `'sha256-${hash('sha256', STYLE, 'base64')}'`;
