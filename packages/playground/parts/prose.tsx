/** Renders plain text. Parts in backticks become code. */
export function Prose({ text }: { text: string }) {
  // Every second piece is between backticks.
  let start = 0
  return (
    <>
      {text.split('`').map((piece, index) => {
        start += piece.length + 1
        return index % 2 === 1 ? <code key={start}>{piece}</code> : piece
      })}
    </>
  )
}
