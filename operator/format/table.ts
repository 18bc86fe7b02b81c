/** Rows as lines with aligned columns under their names. The rows have the same fields in the same order. */
export function table(rows: readonly Record<string, string | number | null>[]): string[] {
  const names = Object.keys(rows[0] ?? {})
  const lines = [names, ...rows.map(row => names.map(name => String(row[name] ?? '-')))]
  const widths = names.map((_, column) => Math.max(...lines.map(line => line[column]?.length ?? 0)))
  return lines.map(line =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  )
}
