type Cells = Readonly<Record<string, string | number | null | undefined>>

const cellOf = (value: Cells[string]) => String(value ?? '-')

/**
 * Formats rows with the same fields as a table with aligned columns. Where it is wider than the terminal, each row becomes
 * a block of lines instead, so that nothing is cut off.
 * @param width of the terminal; undefined for a pipe or a file
 */
export function table(rows: readonly Cells[], width = Number.POSITIVE_INFINITY): string[] {
  const names = Object.keys(rows[0] ?? {})
  const lines = [names, ...rows.map(row => names.map(name => cellOf(row[name])))]
  const widths = names.map((_, column) => Math.max(...lines.map(line => line[column]?.length ?? 0)))
  const aligned = lines.map(line =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  )
  if (Math.max(...aligned.map(line => line.length)) <= width) return aligned
  return rows.flatMap((row, index) => [...(index > 0 ? [''] : []), ...fields(row)])
}

/** Formats each field on a line of its own. */
export function fields(row: Cells): string[] {
  const widest = Math.max(...Object.keys(row).map(name => name.length))
  return Object.entries(row).map(([name, value]) => `${name.padEnd(widest)}  ${cellOf(value)}`)
}
