/** A file of the demo, as `POST /api/v1/uploads` announces it. */
export interface DemoFile {
  readonly purpose: 'logo' | 'attachment' | 'page_bundle';
  readonly filename: string;
  readonly content_type: string;
  readonly content: string | Buffer;
}

/** The first letter of a school on a disk of its color. */
export function demoLogo({ name, slug }: { readonly name: string; readonly slug: string }): DemoFile {
  const color = slug === 'harbour' ? '#0b5c86' : '#2f6b2f';
  const letter = `<text x="24" y="33" font-family="serif" font-size="26" text-anchor="middle" fill="#fff">${name[0]}</text>`;
  return {
    purpose: 'logo',
    filename: `${slug}.svg`,
    content_type: 'image/svg+xml',
    content: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><circle cx="24" cy="24" r="24" fill="${color}"/>${letter}</svg>`,
  };
}

/** One page with a title. */
export function demoWorksheet({ slug, name }: { readonly slug: string; readonly name: string }): DemoFile {
  return {
    purpose: 'attachment',
    filename: `${slug}-worksheet.pdf`,
    content_type: 'application/pdf',
    content: pdfOf(`${name}: worksheet`),
  };
}

/** One page with a title. */
export function demoWorkbook({ slug, subject }: { readonly slug: string; readonly subject: string }): DemoFile {
  return {
    purpose: 'attachment',
    filename: `${slug}-workbook.pdf`,
    content_type: 'application/pdf',
    content: pdfOf(`Workbook: exercises in ${subject}`),
  };
}

function pdfOf(title: string): string {
  const text = `BT /F1 24 Tf 72 760 Td (${title.replaceAll(/[()\\]/g, String.raw`\$&`)}) Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let pdf = '%PDF-1.7\n';
  const places = objects.map((object, index) => {
    const place = pdf.length;
    pdf += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${places.join('')}`;
  return `${pdf}${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${pdf.length}\n%%EOF\n`;
}
