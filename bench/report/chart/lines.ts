import type { Chart } from '../figures.ts'
import { withUnit } from '../table.ts'
import { colour, TOP, text, WIDTH } from './svg.ts'

const HEIGHT = 340
/** The edges of the plot; room for the values on the left, and for the places and their axis below. */
const [LEFT, RIGHT, BOTTOM] = [90, WIDTH - 40, HEIGHT - 52]
const DASHES = ['none', '7 4', '2 4', '10 3 2 3']

/** Where a value lies between two others, 0 to 1, on a logarithmic or on a linear axis. */
const logarithmic = (from: number, to: number) => (value: number) =>
  Math.log(value / from) / Math.log(to / from)
const linear = (from: number, to: number) => (value: number) => (value - from) / (to - from)

/** 1, 2 or 5 times a power of ten, so that at most five steps reach the value. */
function stepFor(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value / 5))
  return power * ([1, 2, 5].find(factor => factor * power * 5 >= value) ?? 10)
}

/** The values that the vertical axis names, from its lower to its upper end. */
function ticksFor(values: readonly number[], isLogarithmic: boolean): number[] {
  const highest = Math.max(...values)
  if (isLogarithmic) {
    const from = Math.floor(Math.log10(Math.min(...values)))
    return Array.from(
      { length: Math.ceil(Math.log10(highest)) - from + 1 },
      (_, index) => 10 ** (from + index)
    )
  }
  const step = stepFor(highest)
  return Array.from({ length: Math.ceil(highest / step) + 1 }, (_, index) => index * step)
}

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
