"""The pages of the manual, installed as `mapexplorer.manual` so that the window can show them."""
