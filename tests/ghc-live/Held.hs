-- Each line "more" on its input adds 1000 keys to a map that is held, and is answered with its size; any other line
-- makes garbage.
module Main (main) where

import Control.Exception (evaluate)
import Data.IORef
import qualified Data.Map.Strict as Map
import System.IO

obey :: IORef (Map.Map Int Int) -> String -> IO ()
obey held "more" = do
  size <- Map.size <$> readIORef held
  modifyIORef' held (\m -> foldr (\i -> Map.insert i i) m [size .. size + 999])
  readIORef held >>= print . Map.size
obey _ _ = () <$ evaluate (length (show (product [1 .. 500 :: Integer])))

main :: IO ()
main = do
  hSetBuffering stdout LineBuffering
  held <- newIORef Map.empty
  let loop = do
        over <- isEOF
        if over then readIORef held >>= print . Map.size else getLine >>= obey held >> loop
  loop
