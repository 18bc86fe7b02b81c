/** The width of every chart, in pixels like all lengths of this folder. */
export const WIDTH = 720

/** The first line of text of a chart, with its title. */
const TITLE_AT = 26
const LEGEND_AT = 50

/** Where the drawing begins, below title and legend. */
export const TOP = 68

/** Colours with enough contrast on their background, which are told apart without seeing red or green. */
const LIGHT = { ink: '#1f2328', faint: '#d1d9e0', paper: '#ffffff' }
const DARK = { ink: '#e6edf3', faint: '#3d444d', paper: '#0d1117' }
const LIGHT_SERIES = ['#0b62a8', '#b35900', '#1a7f5a', '#8a4f9e']
const DARK_SERIES = ['#58a6ff', '#f0a03c', '#3fb98a', '#c792d6']

const variables = (colours: typeof LIGHT, series: readonly string[]) =>
  [...Object.entries(colours), ...series.map((colour, index) => [`series-${index}`, colour])]
    .map(([name, colour]) => `--${name}:${colour}`)
    .join(';')

const STYLE = [
  `:root{${variables(LIGHT, LIGHT_SERIES)}}`,
  `@media (prefers-color-scheme:dark){:root{${variables(DARK, DARK_SERIES)}}}`,
  'text{fill:var(--ink);font:13px system-ui,sans-serif}',
  '.title{font-weight:600;font-size:15px}',
  '.grid{stroke:var(--faint)}',
  '.line{fill:none;stroke-width:2}'
].join('')

/** The colour of a series, by its position. */
export const colour = (index: number) => `var(--series-${index % LIGHT_SERIES.length})`

const escapeXml = (text: string) => text.replace(/[<>&"]/g, character => `&#${character.charCodeAt(0)};`)

/** @param anchor which end of the text is at x */
export function text(x: number, y: number, content: string, anchor: 'start' | 'middle' | 'end' = 'start') {
  return `<text x="${x}" y="${y}" text-anchor="${anchor}">${escapeXml(content)}</text>`
}

/** Roughly the width of a text in the chart's font. */
const textWidth = (content: string) => content.length * 7

function legend(labels: readonly string[]): string {
  let x = 16
  return labels
    .map((label, index) => {
      const at = x
      x += textWidth(label) + 40
      return `<rect x="${at}" y="${LEGEND_AT - 10}" width="12" height="12" rx="2" fill="${colour(index)}"/>${text(at + 18, LEGEND_AT, label)}`
    })
    .join('')
}

/**
 * A whole picture, readable on light and dark pages.
 * @param description what it shows, for those who do not see it
 * @param labels of the series, in the order of their colours
 */
export function picture(
  {
    title,
    description,
    labels,
    height
  }: { title: string; description: string; labels: string[]; height: number },
  drawing: readonly string[]
): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title description">`,
    `<title id="title">${escapeXml(title)}</title>`,
    `<desc id="description">${escapeXml(description)}</desc>`,
    `<style>${STYLE}</style>`,
    `<rect width="${WIDTH}" height="${height}" rx="6" fill="var(--paper)"/>`,
    `<text class="title" x="16" y="${TITLE_AT}">${escapeXml(title)}</text>`,
    legend(labels),
    ...drawing,
    '</svg>',
    ''
  ].join('\n')
}
