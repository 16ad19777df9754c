import { DEFAULT_THEME } from './theme.policy.js';

/** Spaces and sizes of text. Spaces are multiples of 4 pixels; sizes follow the text size of the reader. */
const SCALE = `
:root{--s1:.25rem;--s2:.5rem;--s3:.75rem;--s4:1rem;--s5:1.5rem;--s6:2rem;--small:.875rem;--tiny:.75rem;--round:calc(var(--corner)*.67);--mono:ui-monospace,"Cascadia Mono",Menlo,Consolas,monospace}
`;

/** Page: header, card and footer. The width never exceeds 320 CSS pixels; a bar at the end covers no focused field. */
const LAYOUT = `
*{box-sizing:border-box}
html{scroll-padding-block-end:7rem;-webkit-text-size-adjust:100%}
body{margin:0;min-height:100vh;background:var(--ground);color:var(--ink);font:1rem/1.5 var(--font)}
header,main{max-width:32rem;margin-inline:auto}
.narrow header,.narrow main{max-width:26rem}
.wide header,.wide main{max-width:56rem}
header{padding:var(--s6) 0 var(--s4);font-weight:600}
header p{display:flex;align-items:center;gap:var(--s3);margin:0}
.narrow header{padding-block-start:clamp(1.5rem,9vh,5rem)}
.narrow header p{justify-content:center}
header a:not(:hover){color:inherit;text-decoration:none}
.initial::before,.tile::before{content:attr(data-initial)}
.initial::before,.tile{display:inline-grid;place-items:center;flex:none;width:2.25rem;height:2.25rem;border-radius:var(--round);background:var(--accent);color:var(--on-accent);font-weight:700}
.logo{display:block;width:100%;height:3rem;object-fit:contain;object-position:left}
[dir=rtl] .logo{object-position:right}
.narrow .logo{object-position:center}
main{padding:var(--s6);margin-block-end:3rem;background:var(--paper);border:1px solid var(--edge);border-radius:var(--corner);box-shadow:0 1px 2px #0000000a,0 8px 24px -12px #0000001f;overflow-wrap:anywhere}
`;

const TEXT = `
h1{font-size:1.5rem;line-height:1.25;letter-spacing:-.01em;margin:0 0 var(--s2);text-wrap:balance}
h2{font-size:1.125rem;line-height:1.3;margin:var(--s6) 0 var(--s2)}
h3{font-size:1rem;margin:0 0 var(--s1)}
p,ul,ol,dl,pre{margin:var(--s2) 0}
p,li{text-wrap:pretty}
p:has(>.main){margin-block:var(--s4)}
ul,ol{padding-inline-start:1.25rem}
li{margin:var(--s1) 0}
dd{margin:0 0 var(--s2)}
.item dd:last-child{margin:0}
dd.host code{word-break:break-all}
.wide dl{display:grid;grid-template-columns:minmax(8rem,max-content) minmax(0,1fr);gap:var(--s2) var(--s5);align-items:baseline}
.wide dd{margin:0}
a{color:var(--accent);text-underline-offset:.15em}
.lead,.quiet{color:var(--quiet)}
.lead strong{color:var(--ink)}
small,.small{font-size:var(--small)}
dt,th,.hint,.or,.day,.cards p,.log time,.log .host,.rows details ul{color:var(--quiet);font-size:var(--small)}
code,pre{font:var(--small)/1.5 var(--mono);direction:ltr;unicode-bidi:isolate}
pre{padding:var(--s3);border:1px solid var(--edge);border-radius:var(--round);background:var(--ground);white-space:pre-wrap;overflow-wrap:anywhere}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
`;

const FORMS = `
label{display:block;margin:var(--s4) 0 var(--s1);font-weight:600}
.top{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:baseline;gap:var(--s1) var(--s3);margin-block:var(--s4) var(--s1)}
.top label{margin:0}
.top a{font-size:var(--small)}
.hint{margin:var(--s1) 0 0;font-weight:400}
.error{display:flex;gap:var(--s2);margin:.45rem 0 0;color:var(--alarm);font-size:var(--small);font-weight:600}
.error::before{content:"!";flex:none;width:1.1rem;height:1.1rem;margin-block-start:.1rem;border-radius:50%;background:var(--alarm);color:var(--paper);font:700 var(--tiny)/1.1rem var(--font);text-align:center}
input:not([type=checkbox],[type=radio],[type=file],[type=hidden],[hidden]),textarea,select{display:block;width:100%;min-height:2.875rem;padding:.6rem .75rem;border:1px solid var(--line);border-radius:var(--round);background:var(--field);color:inherit;font:inherit}
[aria-invalid=true]{border-color:var(--alarm);box-shadow:0 0 0 1px var(--alarm)}
input[type=file]{display:block;width:100%;border-radius:var(--round);font:inherit;font-size:var(--small)}
::file-selector-button{margin-inline-end:var(--s3)}
fieldset{margin:var(--s4) 0;padding:var(--s2) var(--s4) var(--s3);border:1px solid var(--edge);border-radius:var(--round);min-width:0}
legend{padding:0 var(--s1);font-weight:600}
label.choice{display:flex;gap:.6rem;align-items:baseline;margin:.4rem 0;font-weight:400}
.reveals{padding-inline-end:4.5rem!important}
button.reveal,button.copy{display:block;width:max-content;min-height:2.25rem;margin-inline:auto var(--s1);padding:0 var(--s2);border-color:transparent;background:0 0;color:var(--accent);font-size:var(--small)}
button.reveal{margin-block:-2.56rem .31rem}
button.copy{min-height:1.75rem;margin:0;padding:0 var(--s1)}
.copyable{position:relative;margin:var(--s2) 0 var(--s4)}
.copyable pre{margin:0;padding-inline-end:4.5rem}
pre+button.copy{background:var(--paper);position:absolute;inset-block-start:var(--s2);inset-inline-end:var(--s2)}
dd .copyable{display:flex;flex-wrap:wrap;align-items:center;gap:0 var(--s2);margin:0}
`;

const BUTTONS = `
button,.button,::file-selector-button{display:inline-flex;align-items:center;justify-content:center;min-height:2.75rem;padding:var(--s2) 1.125rem;border:1px solid var(--line);border-radius:var(--round);background:var(--paper);color:inherit;font:inherit;font-weight:600;line-height:1.25;text-align:center;text-decoration:none;cursor:pointer}
button:hover,.button:hover{border-color:var(--ink)}
.main{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}
.main:hover{text-decoration:underline}
button.end{color:var(--alarm)}
button.link{display:inline;min-height:0;border:0;padding:.15rem 0;background:0 0;font-weight:400;text-align:start;text-decoration:underline;text-underline-offset:.15em;color:var(--accent)}
.actions{display:flex;flex-wrap:wrap;gap:var(--s3);margin-top:var(--s5)}
.actions form{margin:0}
.filters{display:flex;flex-wrap:wrap;align-items:end;gap:0 var(--s3);margin-block-end:var(--s4)}
.filters>div{flex:1 1 min(14rem,max(50% - .375rem,9.5rem));min-width:0}
.filters>button{min-height:2.875rem}
.tools{display:flex;flex-wrap:wrap;gap:var(--s1) var(--s4);margin:var(--s4) 0;font-size:var(--small)}
.narrow .actions>*,.bar .actions>*{flex:1 1 100%}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
form+form,form+p,form+table,form+.rows{margin-top:var(--s5)}
.actions+p,.cards+p,table+p,h1+.cards{margin-top:var(--s4)}
.or{display:flex;align-items:center;gap:var(--s3);margin:var(--s4) 0 0}
.or::before,.or::after{content:"";flex:1;border-block-start:1px solid var(--edge)}
.or~.actions{margin-top:var(--s4)}
.wide form[method=post]{max-width:36rem}
.hint+details{margin-block-start:var(--s4)}
[role=status]:empty{margin:0}
.end-links{margin-block-start:var(--s5);text-align:center}
.end-links form{margin:0}
`;

/** Notices, badges, cards, lists, tables, dialogs (`popover`) and empty states. */
const PARTS = `
.alarm,.notice,.done{margin:var(--s4) 0;padding:var(--s3) var(--s4);border:1px solid var(--edge);border-inline-start:.25rem solid;border-radius:var(--round)}
.alarm{color:var(--alarm)}
.done{border-inline-start-color:var(--good)}
.notice{background:var(--notice);border-color:var(--line)}
.badge{display:inline-block;padding:0 .5rem;border:1px solid var(--edge);border-radius:1rem;background:var(--tint);color:var(--ink);font-size:var(--tiny);font-weight:600;line-height:1.5rem;letter-spacing:0;white-space:nowrap;vertical-align:middle}
.badge.warn{background:var(--notice);border-color:var(--line)}
.badge.bad{background:0 0;border-color:currentcolor;color:var(--alarm)}
.item{margin:var(--s4) 0;padding:var(--s4);border:1px solid var(--edge);border-radius:var(--round)}
.item h2{margin:0 0 var(--s2)}
.item>form:not(:has(.actions)){margin-top:var(--s3)}
.empty{margin:var(--s4) 0;padding:var(--s6) var(--s4);border:1px dashed var(--line);border-radius:var(--round);color:var(--quiet);text-align:center}
table{width:100%;border-collapse:collapse}
th,td{padding:var(--s2) 0;padding-inline-end:var(--s3);border-block-end:1px solid var(--edge);text-align:start;vertical-align:top}
td code{overflow-wrap:break-word}
[popover]{max-width:min(28rem,100vw - 2rem);padding:var(--s5);border:1px solid var(--edge);border-radius:var(--corner);background:var(--paper);color:inherit}
[popover]::backdrop{background:#0008}
.log{list-style:none;padding:0}
.log li{display:grid;grid-template-columns:8rem minmax(0,1fr);gap:0 var(--s3);align-items:baseline;padding:var(--s2) 0;border-top:1px solid var(--edge)}
.log .host{grid-column:2}
.day{margin:var(--s5) 0 var(--s1)}
.day+.log{margin:0}
.day+.log li{grid-template-columns:4.5rem minmax(0,1fr)}
nav ul{display:flex;flex-wrap:wrap;gap:var(--s1) 1.125rem;margin:0 0 1.25rem;padding:0 0 var(--s4);list-style:none;border-bottom:1px solid var(--edge);font-size:var(--small)}
nav a:not(:hover){text-decoration:none}
[aria-current]{color:inherit;font-weight:600;text-decoration:none}
.who{display:flex;flex-wrap:wrap;align-items:baseline;justify-content:space-between;gap:0 var(--s3);margin:0 0 var(--s4);padding-block-end:var(--s3);border-block-end:1px solid var(--edge);font-size:var(--small)}
.who p{margin:0}
.client{display:flex;gap:var(--s3);align-items:center}
.client h1{margin:0}
.client .tile{width:3rem;height:3rem;background:var(--tint);color:var(--ink);border:1px solid var(--edge);font-size:1.25rem}
.person{display:flex;gap:var(--s4);margin:var(--s5) 0;padding-block-end:var(--s5);border-block-end:1px solid var(--edge)}
.person>div{flex:1;min-width:0}
.person h2{margin-block-start:0}
.person .actions{margin-top:var(--s3)}
.portrait{flex:none;width:5rem;height:5rem;border-radius:50%;object-fit:cover;font-size:2rem}
.rows{list-style:none;margin:var(--s3) 0;padding:0;border:1px solid var(--edge);border-radius:var(--round)}
.rows>li{margin:0}
.rows>li+li{border-block-start:1px solid var(--edge)}
.rows summary,.rows .row{display:flex;flex-wrap:wrap;align-items:center;gap:var(--s1) var(--s2);min-height:2.75rem;padding:var(--s2) var(--s3);width:100%}
.rows summary{cursor:pointer;list-style:none}
.rows summary::-webkit-details-marker{display:none}
.rows summary::before{content:"";flex:none;width:.45rem;height:.45rem;border:solid var(--quiet);border-width:0 2px 2px 0;transform:rotate(45deg) translate(-1px,-1px)}
.rows [open] summary::before{transform:rotate(225deg)}
.rows .name{flex:1;min-width:8rem}
.rows h2,.rows p{margin:0}
.rows h2{font-size:1rem}
.rows .row:has(.tile){flex-wrap:nowrap;align-items:flex-start;gap:var(--s3);padding:var(--s3)}
.rows .row:has(.tile) .name{min-width:0}
.rows .tile,.portrait{background:var(--tint);color:var(--ink)}
.rows details ul{margin:0;padding:0 2.5rem var(--s3)}
.accounts button{display:flex;justify-content:flex-start;gap:var(--s3);width:100%;padding:var(--s3);border:0;border-radius:var(--round);text-align:start}
.accounts small{color:var(--quiet);font-weight:400}
.bar{position:sticky;inset-block-end:0;margin:var(--s5) calc(var(--s6)*-1) calc(var(--s6)*-1);padding:var(--s4) var(--s6);border-block-start:1px solid var(--edge);border-radius:0 0 var(--corner) var(--corner);background:var(--paper)}
.bar .actions{margin:0;flex-wrap:nowrap}
.bar .actions>*{flex:1}
.bar p{margin:0 0 var(--s3);font-size:var(--small)}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(var(--c,15rem),100%),1fr));gap:var(--s3);padding:0;list-style:none}
.cards:has(>:nth-child(4):last-child){--c:20rem}
.cards li{margin:0;padding:var(--s3) var(--s4);border:1px solid var(--edge);border-radius:var(--round)}
.cards form{margin:var(--s2) 0 0}
.cards p{margin:var(--s1) 0 0}
@media (max-width:32rem){.wide dl{display:block}.wide dd{margin:0 0 var(--s2)}.log li,.day+.log li{display:block}.log time,.log .host{display:block}body{background:var(--paper)}header{padding:1.25rem 1.25rem var(--s2)}.narrow header{padding-block-start:1.5rem}main{padding:var(--s3) 1.25rem var(--s6);margin:0;border:0;box-shadow:none}.bar{margin:var(--s4) -1.25rem calc(var(--s6)*-1);padding:var(--s3) 1.25rem;border-radius:0}.item{padding:var(--s3)}}
@media (max-height:30rem){.bar{position:static}}
`;

/** The style of all pages. A theme comes after it. */
export const STYLE = [SCALE, DEFAULT_THEME, LAYOUT, TEXT, FORMS, BUTTONS, PARTS].map((part) => part.trim()).join('\n');
