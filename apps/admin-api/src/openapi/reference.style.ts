/** Rules of the documentation beside those of the site. Codes break between their words, not inside of one. */
export const STYLE = `
section{margin:var(--s6) 0}
table{display:block;overflow-x:auto}
td p{margin:0}
td:has(>a>code),td:has(>code){white-space:nowrap}
td code,th{overflow-wrap:normal}
.method{display:inline-block;min-width:4.2em;font-weight:700}
.contents ul{margin:0 0 var(--s3)}
h1 code{font-size:inherit}
`;
