import { DEFAULT_COLORS } from '@lyceum/contracts';

const { text_color, background_color, surface_color, accent_color } = DEFAULT_COLORS;

/** Contrast is 7:1 or better for text; focus is always visible; the width never exceeds 320 CSS pixels. */
export const STYLE = `
:root{color-scheme:light dark;--font:system-ui,sans-serif;--corner:.75rem;--ink:${text_color};--ground:${background_color};--paper:${surface_color};--quiet:#50505c;--edge:#d6d7de;--line:#7d7d8a;--accent:${accent_color};--on-accent:#ffffff;--alarm:#9f1239;--notice:#fff4d6;--field:#ffffff}
@media (prefers-color-scheme:dark){:root{--ink:#f3f3f6;--ground:#101014;--paper:#1a1a20;--quiet:#c3c3ce;--edge:#3a3a44;--line:#8a8a96;--accent:#a9c4ff;--on-accent:#10131c;--alarm:#ffb4c4;--notice:#35290b;--field:#222229}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:1rem/1.5 var(--font)}
header,main{max-width:30rem;margin:0 auto}
.wide header,.wide main{max-width:52rem}
header{padding:2.5rem 0 .75rem;color:var(--quiet);font-weight:600}
header p{margin:0}
.logo{display:block;width:100%;height:3rem;object-fit:contain;object-position:left}
main{padding:2rem;margin-bottom:2.5rem;background:var(--paper);border:1px solid var(--edge);border-radius:var(--corner);overflow-wrap:anywhere}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 .75rem}
h2{font-size:1.125rem;line-height:1.3;margin:2rem 0 .5rem}
h3{font-size:1rem;margin:0 0 .25rem}
p,ul,dl{margin:.5rem 0}
ul{padding-left:1.25rem}
li{margin:.25rem 0}
dt{color:var(--quiet);font-size:.875rem}
dd{margin:0 0 .5rem}
.quiet{color:var(--quiet)}
.alarm,.notice{margin:1rem 0;padding:.6rem .75rem;border-left:.25rem solid}
.alarm{color:var(--alarm)}
.notice{background:var(--notice);border-color:var(--line)}
.scopes{margin:1rem 0;padding:.75rem 1rem;border:1px solid var(--edge);border-radius:calc(var(--corner)*.67)}
.scopes h2{margin:0}
.scopes.write{border-color:var(--alarm);border-left-width:.25rem}
.scopes.write h2{color:var(--alarm)}
.item{margin:1rem 0;padding:1rem;border:1px solid var(--edge);border-radius:calc(var(--corner)*.67)}
.item h2{margin:0 0 .5rem}
.item>form:not(:has(.actions)){margin-top:.75rem}
.log{list-style:none;padding:0}
.log li{padding:.5rem 0;border-top:1px solid var(--edge)}
.log time{display:block;color:var(--quiet);font-size:.875rem}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;margin:0 0 1.25rem;padding:0 0 1rem;list-style:none;border-bottom:1px solid var(--edge)}
[aria-current]{color:inherit;font-weight:600;text-decoration:none}
label{display:block;margin:1rem 0 .25rem;font-weight:600}
input[type=email],input[type=password],input[type=text],textarea,select{width:100%;padding:.65rem;border:1px solid var(--line);border-radius:calc(var(--corner)*.53);background:var(--field);color:inherit;font:inherit}
fieldset{margin:1rem 0;padding:.5rem 1rem .75rem;border:1px solid var(--line);border-radius:calc(var(--corner)*.53);min-width:0}
legend{padding:0 .25rem;font-weight:600}
label.choice{display:flex;gap:.6rem;align-items:baseline;margin:.4rem 0;font-weight:400}
button{min-height:2.75rem;padding:.5rem 1.1rem;border:1px solid var(--line);border-radius:calc(var(--corner)*.53);background:transparent;color:inherit;font:inherit;font-weight:600;text-align:start;cursor:pointer}
button:hover{border-color:var(--ink)}
button.main{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}
button.main:hover{text-decoration:underline}
button.end{color:var(--alarm)}
button.link{min-height:0;border:0;padding:.15rem 0;font-weight:400;text-decoration:underline;color:var(--accent)}
a{color:var(--accent)}
form+form,form+p{margin-top:1.5rem}
.actions{display:flex;flex-wrap:wrap;gap:.75rem;margin-top:1.25rem}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
@media (max-width:32rem){body{background:var(--paper)}header{padding:1.25rem 1.25rem .5rem}main{padding:.5rem 1.25rem 2rem;border:0}.item,.scopes{padding:.75rem}}
`;
