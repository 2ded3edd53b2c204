// Projects: folders that runs may be started in, known to clients by an id and never by a path (T-23).

/** A folder that was used before, or that lies under a root. */
export interface Project {
  readonly id: string;
  readonly name: string;
  readonly folder: string;
}

export interface Projects {
  list(): Promise<readonly Project[]>;
  /** The id of a folder, whether or not runs may be started in it. */
  idOf(folder: string): string;
  /** The real folder of a project, or of a path below it. Rejects with a {@link ProblemError} when there is none, or when it leads out. */
  resolve(id: string, path?: string): Promise<string>;
}
