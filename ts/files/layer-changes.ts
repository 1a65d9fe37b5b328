/**
 * What was written above the roots in place of beneath them: layers, which `crates/files/src/linux/layer.rs` describes. No mount
 * is needed for any of it.
 */
import type { CommittedLayer, DiscardedLayer, LayerChanges, SweptLayers } from './answers.js';
import { Files } from './files.js';
import type { FileAnswer } from './results.js';

/** How a layer is brought over. */
export interface LayerCommitOptions {
  /** Most changes that the answer lists. Default: 1,000. Range: 1 to 10,000. */
  readonly limit?: number | undefined;
  /** Whether each file that is listed has a `diff`, masked. Default: false. */
  readonly diff?: boolean | undefined;
  /**
   * Whether the layer's own files get their places, in place of copies: 30,000 files in a new folder are one rename then.
   * Nothing may live in the layer any more, since what a process still has open there would be a file of the root.
   * Default: false.
   */
  readonly takes?: boolean | undefined;
  /** Whether everything but the conflicts is brought over where there are some. Default: false, and nothing is then. */
  readonly partly?: boolean | undefined;
  /** `digest` of the changes that were seen. Where the layer has others by now, nothing is brought over. Default: any. */
  readonly digest?: string | undefined;
  /** Who asks, for the history. Default: nobody. */
  readonly caller?: string | undefined;
}

/**
 * Lists what a layer has changed, and what would stand against bringing it over.
 *
 * @param layer Absolute path of the layer's folder.
 * @param options `limit`: most changes that are listed. Default: 1,000. Range: 1 to 10,000. `digest`: of the
 * changes that were seen; where the layer has others by now, the answer is a refusal. Default: any. `diff`: whether each file
 * that is listed has one. Default: false.
 */
export function layerChanges(
  files: Files,
  layer: string,
  options: Pick<LayerCommitOptions, 'limit' | 'digest' | 'diff'> = {},
): Promise<FileAnswer<LayerChanges>> {
  return Files.layer(files, 'layer_changes', { layer, ...options });
}

/**
 * Brings a layer over: all of it or nothing, also when the process is killed meanwhile. `undo` takes it back. A place that
 * somebody else has changed since the layer began is a conflict: then nothing is brought over, and the layer keeps all it has.
 *
 * @param layer Absolute path of the layer's folder.
 */
export function commitLayer(
  files: Files,
  layer: string,
  options: LayerCommitOptions = {},
): Promise<FileAnswer<CommittedLayer>> {
  return Files.layer(files, 'layer_commit', { layer, ...options });
}

/**
 * Drops a layer and everything in it.
 *
 * @param layer Absolute path of the layer's folder.
 */
export function discardLayer(files: Files, layer: string): Promise<FileAnswer<DiscardedLayer>> {
  return Files.layer(files, 'layer_discard', { layer });
}

/**
 * Drops the layers whose processes are gone.
 *
 * @param folder Absolute path of the folder of all layers.
 */
export function sweepLayers(files: Files, folder: string): Promise<FileAnswer<SweptLayers>> {
  return Files.layer(files, 'layer_sweep', { folder });
}
