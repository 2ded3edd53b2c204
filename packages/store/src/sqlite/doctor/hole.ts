/** Lines of a stream that are lost. */
export interface Hole {
  readonly stream: string;
  readonly fromSeq: number;
  readonly toSeq: number;
}
