import type { Chart } from '../figures.ts'
import { withUnit } from '../table.ts'
import { linear, logarithmic, ticksFor } from './axis.ts'
import { colour, TOP, text, WIDTH } from './svg.ts'

const HEIGHT = 340
/** The edges of the plot; room for the values on the left, and for the places and their axis below. */
const [LEFT, RIGHT, BOTTOM] = [90, WIDTH - 40, HEIGHT - 52]
const DASHES = ['none', '7 4', '2 4', '10 3 2 3']

/** Lines over a logarithmic axis. */
export function drawLines(
  { series, unit, logarithmic: isLogarithmic = false }: Chart,
  { axis, places }: { axis: string; places: readonly number[] }
) {
  // Nothing has no place on a logarithmic axis.
  const isDrawn = (value: number) => !isLogarithmic || value > 0
  const ticks = ticksFor(
    series.flatMap(({ values }) => values.filter(isDrawn)),
    isLogarithmic
  )
  const across = logarithmic(Math.min(...places), Math.max(...places))
  const up = (isLogarithmic ? logarithmic : linear)(Math.min(...ticks), Math.max(...ticks))
  const x = (place: number) => Math.round(LEFT + 20 + across(place) * (RIGHT - LEFT - 20))
  const y = (value: number) => Math.round(BOTTOM - up(value) * (BOTTOM - TOP))

  const grid = ticks.map(
    tick =>
      `<line class="grid" x1="${LEFT}" x2="${RIGHT}" y1="${y(tick)}" y2="${y(tick)}"/>` +
      text(LEFT - 8, y(tick) + 4, withUnit(tick, unit), 'end')
  )
  const names = places.map(place => text(x(place), BOTTOM + 20, place.toLocaleString('en'), 'middle'))
  const lines = series.map(({ values }, index) => {
    const points = places.flatMap((place, position) => {
      const value = values[position]
      return value === undefined || !isDrawn(value) ? [] : [{ x: x(place), y: y(value) }]
    })
    const path = points.map(point => `${point.x},${point.y}`).join(' ')
    const dots = points.map(
      point => `<circle cx="${point.x}" cy="${point.y}" r="4" fill="${colour(index)}"/>`
    )
    return `<polyline class="line" points="${path}" stroke="${colour(index)}" stroke-dasharray="${DASHES[index % DASHES.length]}"/>${dots.join('')}`
  })
  return {
    height: HEIGHT,
    drawing: [...grid, ...names, text((LEFT + RIGHT) / 2, HEIGHT - 10, axis, 'middle'), ...lines]
  }
}
