/**
 * Rules of the documentation beside those of the site. Codes break between their words, not inside of one. A narrow
 * window shows the cells of a row below each other.
 */
export const STYLE = `
section{margin:var(--s6) 0}
table{display:block;overflow-x:auto}
td p{margin:0}
td{overflow-wrap:break-word}
td:not(:first-child,:last-child){color:var(--quiet);font-size:var(--small)}
td:has(>a>code),td:has(>code){white-space:nowrap}
td code,th{overflow-wrap:normal}
.method{display:inline-block;min-width:3.75em;font-weight:700;color:var(--accent)}
.method.post{color:var(--good)}
.method.delete{color:var(--alarm)}
.columns{columns:13rem;column-gap:var(--s5);padding:0;list-style:none;font-size:var(--small)}
.columns.short{columns:9rem}
.columns li{margin:0;padding:.2rem 0;break-inside:avoid}
h1 code{font-size:inherit}
@media (max-width:32rem){
table,tbody{display:block}
tr{display:flex;flex-wrap:wrap;gap:0 var(--s3);padding:var(--s2) 0;border-block-end:1px solid var(--edge)}
tr:has(th){position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
td{border:0;padding:0;overflow-wrap:anywhere}
td:last-child{flex:1 1 100%}
td:empty{display:none}
td:has(>a>code),td:has(>code){white-space:normal}
td code{overflow-wrap:anywhere}
}
`;
