import type { Chart } from '../figures.ts'
import { withUnit } from '../table.ts'
import { drawBars } from './bars.ts'
import { drawLines } from './lines.ts'
import { picture } from './svg.ts'

/** The chart as the text of an SVG file. */
export function drawChart(chart: Chart): string {
  const { title, series, over } = chart
  const { height, drawing } = 'groups' in over ? drawBars(chart, over.groups) : drawLines(chart, over)
  const labels = series.map(({ label }) => label)
  return picture({ title, description: describe(chart), labels, height }, drawing)
}

/** All values in words. */
function describe({ series, over, unit }: Chart): string {
  const names =
    'groups' in over ? over.groups : over.places.map(place => `${place.toLocaleString('en')} ${over.axis}`)
  return series
    .map(({ label, values }) => {
      const pairs = values.map((value, index) => `${names[index]} ${withUnit(value, unit)}`)
      return `${label}: ${pairs.join(', ')}`
    })
    .join('; ')
}
