import type { Chart } from '../figures.ts'
import { withUnit } from '../table.ts'
import { drawBars } from './bars.ts'
import { drawLines } from './lines.ts'
import { drawPanels } from './panels.ts'
import { picture } from './svg.ts'

/** The chart as the text of an SVG file. */
export function drawChart(chart: Chart): string {
  const { title, series, over } = chart
  const { height, drawing } = draw(chart)
  // A panel has its label above it.
  const labels = 'minutes' in over ? [] : series.map(({ label }) => label)
  return picture({ title, description: describe(chart), labels, height }, drawing)
}

function draw(chart: Chart) {
  const { over } = chart
  if ('groups' in over) return drawBars(chart, over.groups)
  return 'minutes' in over ? drawPanels(chart, over.minutes) : drawLines(chart, over)
}

/** All values in words; of those over time the range alone. */
function describe({ series, over, unit }: Chart): string {
  if ('minutes' in over) {
    return series
      .map(({ label, values }) => `${label}: ${Math.min(...values)} to ${Math.max(...values)}`)
      .join('; ')
  }
  const names =
    'groups' in over ? over.groups : over.places.map(place => `${place.toLocaleString('en')} ${over.axis}`)
  return series
    .map(({ label, values }) => {
      const pairs = values.map((value, index) => `${names[index]} ${withUnit(value, unit)}`)
      return `${label}: ${pairs.join(', ')}`
    })
    .join('; ')
}
